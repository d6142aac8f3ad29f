// Programs on a device give what they give on the CPU, in silence of the validation layers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <thread>

#include "tests/vk/failing_calls.h"
#include "tests/vk/programs.h"
#include "tests/vk/vulkan_machine.h"
#include "tests/vk/watched_test.h"

namespace arenite::tests {
namespace {

class Run : public WatchedTest {};

std::vector<float> on_cpu(const planner::ProgramTables& tables) {
  Loaded loaded(tables, nullptr);
  EXPECT_EQ(loaded.load(1).code, Code::kOk);
  return loaded.run({sample_input()});
}

TEST_F(Run, ChainEqualsTheCpu) {
  EXPECT_EQ(on_cpu(chain_tables()), chain_output());
  for (const bool elide : {false, true}) {
    Loaded loaded(chain_tables(), &watched.device);
    loaded.vulkan.elide_transfers = elide;
    ASSERT_EQ(loaded.load().code, Code::kOk);
    EXPECT_EQ(loaded.run({sample_input()}), chain_output());
    EXPECT_EQ(loaded.run({std::vector<float>(kElements)}).at(8), 1.0f);
    EXPECT_EQ(loaded.run({sample_input()}), chain_output());
  }
}

// Two threads, each with one half of a loop.
void share_in_halves(void* context, uint32_t count, uint32_t /*threads*/, PieceFunction task,
                     void* argument) {
  *static_cast<uint32_t*>(context) += count;
  std::thread other([=] { task(argument, 0, count / 2, 1); });
  task(argument, count / 2, count, 0);
  other.join();
}

TEST_F(Run, PipelinesAreMadeByAllWorkers) {
  uint32_t shared = 0;
  watched.device.workers = {&shared, 2, share_in_halves};
  Loaded loaded(chain_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  EXPECT_GT(shared, 1u);
  EXPECT_EQ(loaded.run({sample_input()}), chain_output());
}

TEST_F(Run, TheProgramChoosesTheVariantByTheDevice) {
  const Loaded loaded(chain_tables(), nullptr);
  EXPECT_EQ(*loaded.program.choose_variant(0, watched.device.info.capabilities), 0u);
  EXPECT_EQ(*loaded.program.choose_variant(0, Capabilities{}), 1u);
}

TEST_F(Run, ACpuStepBetweenTwoStretches) {
  EXPECT_EQ(on_cpu(sandwich_tables()), sandwich_output());
  for (const bool elide : {false, true}) {
    Loaded loaded(sandwich_tables(), &watched.device);
    loaded.vulkan.elide_transfers = elide;
    ASSERT_EQ(loaded.load().code, Code::kOk);
    EXPECT_EQ(loaded.vulkan.counters.stretches, 2u);
    EXPECT_EQ(loaded.vulkan.counters.pipelines, 1u);
    EXPECT_EQ(loaded.run({sample_input()}), sandwich_output());
    EXPECT_EQ(loaded.run({sample_input()}), sandwich_output());
    EXPECT_EQ(loaded.vulkan.counters.submissions, 4u);
  }
}

TEST_F(Run, StretchesWithoutACpuStepBetweenThemAreOneSubmission) {
  planner::ProgramTables tables = chain_tables();
  tables.steps[2].flags |= format::kBeginsStretch & 63u;
  tables.required_features |= format::kCutsFeature;
  for (const bool elide : {false, true}) {
    Loaded loaded(tables, &watched.device);
    loaded.vulkan.elide_transfers = elide;
    ASSERT_EQ(loaded.load().code, Code::kOk);
    EXPECT_EQ(loaded.vulkan.counters.stretches, 2u);
    EXPECT_EQ(loaded.run({sample_input()}), chain_output());
    EXPECT_EQ(loaded.run({sample_input()}), chain_output());
    EXPECT_EQ(loaded.vulkan.counters.submissions, 2u);
    EXPECT_EQ(loaded.vulkan.counters.stretches_run, 4u);
    EXPECT_EQ(loaded.vulkan.counters.dispatches_run, 4u);
  }
}

TEST_F(Run, StepByStep) {
  Loaded loaded(sandwich_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  loaded.fill_input(0, sample_input());
  uint32_t rounds = 0;
  for (;;) {
    const Result<RunState> state = loaded.instance.run_steps(1);
    ASSERT_TRUE(state.ok());
    ++rounds;
    if (*state == RunState::kDone) {
      break;
    }
  }
  EXPECT_GE(rounds, 3u);  // two stretches and the CPU's step
  EXPECT_EQ(loaded.output(0), sandwich_output());
}

TEST_F(Run, TransfersAreLeftOutOnUnifiedMemoryOnly) {
  watched.device.unified = true;
  Loaded loaded(chain_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  EXPECT_EQ(loaded.vulkan.counters.transfers_elided, 2u);
  EXPECT_EQ(loaded.vulkan.counters.transfers_recorded, 0u);
  EXPECT_EQ(loaded.vulkan.counters.barriers_recorded, 2u);  // the last one had nothing to guard
  EXPECT_EQ(loaded.run({sample_input()}), chain_output());
}

// Expects that loading leaves out one of two transfers, and that two runs give the right outputs.
void expect_one_of_two_transfers(vk::Device& device) {
  Loaded loaded(chain_tables(), &device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  EXPECT_EQ(loaded.vulkan.counters.transfers_elided, 1u);
  EXPECT_EQ(loaded.vulkan.counters.transfers_recorded, 1u);
  EXPECT_EQ(loaded.run({sample_input()}), chain_output());
  EXPECT_EQ(loaded.run({sample_input()}), chain_output());
}

// Behaves like a discrete GPU into whose memory the CPU writes.
TEST_F(Run, InputsAreUsedInPlaceThroughAWindow) {
  watched.device.unified = false;
  watched.device.window = true;
  expect_one_of_two_transfers(watched.device);
}

TEST_F(Run, ADiscreteGpuWritesSmallResultsInPlace) {
  watched.device.unified = false;
  watched.device.discrete = true;
  expect_one_of_two_transfers(watched.device);
}

// A discrete GPU is asked whether it has finished before the CPU sleeps, others are not.
TEST_F(Run, OfAGpuIsWaitedForEitherWay) {
  watched.device.discrete = true;
  Loaded loaded(chain_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  EXPECT_EQ(loaded.run({sample_input()}), chain_output());
  watched.device.fn.get_fence_status = [](VkDevice, VkFence) { return VK_NOT_READY; };
  EXPECT_EQ(loaded.run({sample_input()}), chain_output());
  watched.device.discrete = false;
  watched.device.fn.get_fence_status = [](VkDevice, VkFence) { return VK_ERROR_DEVICE_LOST; };
  EXPECT_EQ(loaded.run({sample_input()}), chain_output());
}

TEST_F(Run, TransfersStayWhereTheStandInIsNotAlone) {
  watched.device.unified = true;
  planner::ProgramTables tables = sandwich_tables();
  // y takes the bytes of r, which is dead by then; and d0 moves to another place modulo 256.
  tables.values[7].offset = tables.values[3].offset;
  Loaded loaded(tables, &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  EXPECT_EQ(loaded.vulkan.counters.transfers_elided, 2u);  // x and u
  EXPECT_EQ(loaded.vulkan.counters.transfers_recorded, 2u);
  EXPECT_EQ(loaded.run({sample_input()}), sandwich_output());
}

TEST_F(Run, OffsetsBelowTheBindingAlignment) {
  for (const bool elide : {false, true}) {
    planner::ProgramTables tables = chain_tables();
    // d0 and d2 begin 80 bytes after a multiple of 256, d1 24 bytes; the other ends stay.
    tables.values[1].offset += 80;
    tables.values[2].offset += 24;
    tables.values[3].offset += 80;
    Loaded loaded(tables, &watched.device);
    loaded.vulkan.elide_transfers = elide;
    ASSERT_EQ(loaded.load().code, Code::kOk);
    EXPECT_EQ(loaded.vulkan.counters.transfers_elided, 0u);
    EXPECT_EQ(loaded.run({sample_input()}), chain_output());
  }
}

// Behaves like a discrete GPU on a device that is none: constants through staging, all copies.
TEST_F(Run, SeparateMemory) {
  watched.device.unified = false;
  Loaded loaded(chain_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  EXPECT_EQ(loaded.vulkan.counters.transfers_recorded, 2u);
  EXPECT_EQ(loaded.run({sample_input()}), chain_output());
}

TEST_F(Run, ConstantsLargerThanTheStagingBuffer) {
  watched.device.unified = false;
  planner::ProgramTables tables = chain_tables();
  // Numbers so far apart that they take 40 MiB: three pieces, the last one not full.
  format::ConstantRecord& constant = tables.constants[0];
  const uint32_t numbers = tables.shapes[constant.shape];
  const uint32_t apart = (40u << 20) / 4 / numbers;
  std::vector<std::byte> bytes(size_t{numbers} * apart * 4);
  for (size_t i = 0; i < numbers; ++i) {
    std::copy_n(tables.sections[0].bytes.begin() + static_cast<ptrdiff_t>(i * 4), 4,
                bytes.begin() + static_cast<ptrdiff_t>(i * apart * 4));
  }
  tables.sections[0].bytes = std::move(bytes);
  tables.shapes[constant.shape + 1] = apart;
  constant.bytes = numbers * apart * 4;
  Loaded loaded(tables, &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  EXPECT_EQ(loaded.run({sample_input()}), chain_output());
}

// Flushing and invalidating coherent memory is allowed and does nothing: the calls are made right.
TEST_F(Run, MemoryThatIsNotCoherent) {
  Loaded loaded(sandwich_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  for (vk::Buffer& buffer : loaded.vulkan.arrays.arenas) {
    buffer.coherent = false;
  }
  EXPECT_EQ(loaded.run({sample_input()}), sandwich_output());
}

TEST_F(Run, TwoInstancesOfOneDevice) {
  Loaded a(chain_tables(), &watched.device);
  Loaded b(sandwich_tables(), &watched.device);
  ASSERT_EQ(a.load().code, Code::kOk);
  ASSERT_EQ(b.load().code, Code::kOk);
  EXPECT_EQ(a.run({sample_input()}), chain_output());
  EXPECT_EQ(b.run({sample_input()}), sandwich_output());
  EXPECT_EQ(a.run({sample_input()}), chain_output());
  // One goes, the other stays.
  a.instance.unload();
  EXPECT_EQ(b.run({sample_input()}), sandwich_output());
}

TEST_F(Run, TwoInstancesOnTwoThreads) {
  const auto work = [this](const planner::ProgramTables& tables, const std::vector<float>& expected,
                           uint32_t& right) {
    Loaded loaded(tables, &watched.device);
    if (!loaded.load().ok()) {
      return;
    }
    for (int i = 0; i < 20; ++i) {
      right += loaded.run({sample_input()}) == expected ? 1u : 0u;
    }
  };
  uint32_t right_a = 0;
  uint32_t right_b = 0;
  std::thread thread([&] { work(chain_tables(), chain_output(), right_a); });
  work(sandwich_tables(), sandwich_output(), right_b);
  thread.join();
  EXPECT_EQ(right_a, 20u);
  EXPECT_EQ(right_b, 20u);
}

TEST_F(Run, NothingIsMadeAfterLoading) {
  Loaded loaded(sandwich_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  const vk::DeviceFunctions kept = watched.device.fn;
  vk::DeviceFunctions& fn = watched.device.fn;
  fn.allocate_memory = nullptr;
  fn.allocate_command_buffers = nullptr;
  fn.allocate_descriptor_sets = nullptr;
  fn.begin_command_buffer = nullptr;
  fn.create_buffer = nullptr;
  fn.create_compute_pipelines = nullptr;
  fn.create_descriptor_pool = nullptr;
  fn.create_shader_module = nullptr;
  fn.update_descriptor_sets = nullptr;
  EXPECT_EQ(loaded.run({sample_input()}), sandwich_output());
  fn = kept;
}

std::map<VkDeviceMemory, size_t> allocated;
std::vector<VkBuffer> cleared;

// Gives memory that something else has written to, as a driver may.
void give_dirty_memory(vk::DeviceFunctions& fn) {
  real = fn;
  allocated.clear();
  cleared.clear();
  fn.allocate_memory = [](VkDevice device, const VkMemoryAllocateInfo* info,
                          const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
    const VkResult result = real.allocate_memory(device, info, callbacks, memory);
    if (result == VK_SUCCESS) allocated[*memory] = info->allocationSize;
    return result;
  };
  fn.map_memory = [](VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                     VkMemoryMapFlags flags, void** mapped) {
    const VkResult result = real.map_memory(device, memory, offset, size, flags, mapped);
    if (result == VK_SUCCESS) std::memset(*mapped, 0xab, allocated[memory]);
    return result;
  };
  fn.cmd_fill_buffer = [](VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
                          VkDeviceSize size, uint32_t word) {
    if (offset == 0 && size == VK_WHOLE_SIZE && word == 0) cleared.push_back(buffer);
    real.cmd_fill_buffer(commands, buffer, offset, size, word);
  };
}

TEST_F(Run, ArenasBeginAsZeros) {
  for (const bool unified : {false, true}) {
    SCOPED_TRACE(unified);
    watched.device.unified = unified;
    give_dirty_memory(watched.device.fn);
    Loaded loaded(chain_tables(), &watched.device);
    ASSERT_EQ(loaded.load().code, Code::kOk);
    size_t by_the_device = 0;
    for (const vk::Buffer& arena : loaded.vulkan.arrays.arenas) {
      if (arena.mapped == nullptr) {
        ++by_the_device;
        EXPECT_EQ(std::count(cleared.begin(), cleared.end(), arena.handle), 1);
      } else {
        EXPECT_EQ(std::count(arena.mapped, arena.mapped + arena.bytes, std::byte{0}),
                  static_cast<std::ptrdiff_t>(arena.bytes));
      }
    }
    EXPECT_EQ(by_the_device, cleared.size());
    EXPECT_EQ(loaded.run({sample_input()}), chain_output());
    loaded.instance.unload();
    watched.device.fn = real;
  }
}

TEST_F(Run, OperandsInUploadAndReadbackArenas) {
  Loaded loaded(product_tables(32), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  std::vector<float> a(32 * 32);
  std::vector<float> b(32 * 32);
  for (uint32_t i = 0; i < 32 * 32; ++i) {
    a[i] = static_cast<float>(i % 7);
    b[i] = static_cast<float>(i % 5);
  }
  const std::vector<float> y = loaded.run({a, b});
  ASSERT_EQ(y.size(), a.size());
  for (uint32_t row = 0; row < 32; ++row) {
    for (uint32_t column = 0; column < 32; ++column) {
      float sum = 0;
      for (uint32_t k = 0; k < 32; ++k) {
        sum += a[row * 32 + k] * b[k * 32 + column];
      }
      EXPECT_EQ(y[row * 32 + column], sum);
    }
  }
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0

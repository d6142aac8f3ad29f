// Constants lie on a device once, whoever uses them, and for as long as somebody does.
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <thread>

#include "tests/vk/failing_calls.h"
#include "tests/vk/programs.h"
#include "tests/vk/vulkan_machine.h"
#include "vk/shared_constants.h"

namespace arenite::tests {
namespace {

constexpr uint32_t kWeights = 100000;  // 400,000 bytes, a buffer of its own
constexpr uint64_t kWeightBytes = 400128, kSmallBytes = 256;

std::vector<float> weights(float first = 1) {
  std::vector<float> numbers(kWeights);
  for (uint32_t i = 0; i < kWeights; ++i) numbers[i] = first + static_cast<float>(i % 1000);
  return numbers;
}

std::vector<float> input() { return std::vector<float>(kWeights, 0.5f); }

std::vector<float> expected(float scale, float first = 1) {
  std::vector<float> numbers = weights(first);
  for (float& number : numbers) number = (number + 0.5f) * scale;
  return numbers;
}

// The memory that the driver has given and that was not given back.
std::mutex guard;
std::map<VkDeviceMemory, uint64_t> live;

uint64_t live_bytes() {
  uint64_t bytes = 0;
  for (const auto& [memory, size] : live) bytes += size;
  return bytes;
}

VkResult VKAPI_CALL count_allocation(VkDevice device, const VkMemoryAllocateInfo* info,
                                     const VkAllocationCallbacks* callbacks,
                                     VkDeviceMemory* memory) {
  const VkResult result = real.allocate_memory(device, info, callbacks, memory);
  const std::scoped_lock lock(guard);
  if (result == VK_SUCCESS) live[*memory] = info->allocationSize;
  return result;
}

void VKAPI_CALL count_free(VkDevice device, VkDeviceMemory memory,
                           const VkAllocationCallbacks* callbacks) {
  {
    const std::scoped_lock lock(guard);
    live.erase(memory);
  }
  real.free_memory(device, memory, callbacks);
}

// On unified memory, where constants are written in place, and through staging.
class SharedConstants : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(watched.opened.ok());
    watched.device.unified = GetParam();
    live.clear();
    real = watched.device.fn;
    watched.device.fn.allocate_memory = count_allocation;
    watched.device.fn.free_memory = count_free;
  }
  void TearDown() override {
    EXPECT_TRUE(live.empty());
    EXPECT_EQ(watched.device.constants.buffers, 0u);
    EXPECT_EQ(watched.device.constants.buffer_bytes, 0u);
    vk::close_device(watched.device);
    EXPECT_EQ(watched.watch.count(), 0u);
  }
  uint64_t constant_bytes() const { return watched.device.constants.buffer_bytes; }

  WatchedDevice watched;
};

TEST_P(SharedConstants, OfTwoMethodsLieOnTheDeviceOnce) {
  Loaded first(scaled_tables(weights(), 2), &watched.device);
  ASSERT_EQ(first.load(0, 0).code, Code::kOk);
  const uint64_t of_first = live_bytes();
  EXPECT_EQ(constant_bytes(), kWeightBytes + kSmallBytes);
  {
    Loaded second(scaled_tables(weights(), 2), &watched.device);
    ASSERT_EQ(second.load(0, 1).code, Code::kOk);
    // The second instance has arenas of its own: as many bytes as the first one's.
    EXPECT_EQ(live_bytes(), 2 * of_first - kWeightBytes - kSmallBytes);
    EXPECT_EQ(constant_bytes(), kWeightBytes + kSmallBytes);
    EXPECT_EQ(second.run({input()}), expected(2));
  }
  EXPECT_EQ(live_bytes(), of_first);
  EXPECT_EQ(first.run({input()}), expected(2));
}

TEST_P(SharedConstants, OfTwoInstancesOutliveTheFirst) {
  const Loaded none(scaled_tables(weights(), 2), nullptr);
  auto first = std::make_unique<Loaded>(scaled_tables(weights(), 2), &watched.device);
  Loaded second(scaled_tables(weights(), 2), &watched.device);
  ASSERT_EQ(first->load().code, Code::kOk);
  ASSERT_EQ(second.load().code, Code::kOk);
  EXPECT_EQ(watched.device.constants.buffers, 2u);
  // The first one goes, with the program that the bytes came from.
  first.reset();
  EXPECT_EQ(watched.device.constants.buffers, 2u);
  EXPECT_EQ(second.run({input()}), expected(2));
  // A third one is compared with the second one's bytes.
  Loaded third(scaled_tables(weights(), 2), &watched.device);
  ASSERT_EQ(third.load().code, Code::kOk);
  EXPECT_EQ(watched.device.constants.buffers, 2u);
  second.instance.unload();
  EXPECT_EQ(third.run({input()}), expected(2));
}

TEST_P(SharedConstants, OfTwoProgramsWhereTheirBytesAreTheSame) {
  // Another scale: the weights are shared, the small constant is each one's own.
  Loaded first(scaled_tables(weights(), 2), &watched.device);
  Loaded second(scaled_tables(weights(), 3), &watched.device);
  ASSERT_EQ(first.load().code, Code::kOk);
  ASSERT_EQ(second.load().code, Code::kOk);
  EXPECT_EQ(constant_bytes(), kWeightBytes + 2 * kSmallBytes);
  EXPECT_EQ(first.run({input()}), expected(2));
  EXPECT_EQ(second.run({input()}), expected(3));
  first.instance.unload();
  EXPECT_EQ(constant_bytes(), kWeightBytes + kSmallBytes);
  EXPECT_EQ(second.run({input()}), expected(3));
  // Bytes of the same number that differ are not.
  Loaded third(scaled_tables(weights(4), 3), &watched.device);
  ASSERT_EQ(third.load().code, Code::kOk);
  EXPECT_EQ(constant_bytes(), 2 * kWeightBytes + kSmallBytes);
  EXPECT_EQ(third.run({input()}), expected(3, 4));
}

TEST_P(SharedConstants, StoredTwiceInAProgramLieOnTheDeviceOnce) {
  planner::ProgramTables tables = scaled_tables(weights(), 2);
  format::ConstantRecord copy = tables.constants[0];
  auto& bytes = tables.sections[0].bytes;
  bytes.resize((bytes.size() + 255) / 256 * 256);
  const auto offset = static_cast<uint32_t>(bytes.size());
  bytes.resize(offset + copy.bytes);
  std::copy_n(bytes.begin() + copy.offset, copy.bytes, bytes.begin() + offset);
  copy.offset = offset;
  tables.constants.push_back(copy);
  // The small constant's steps read the copy instead, as a whole vector.
  for (uint32_t& operand : tables.operands) {
    if (operand == (format::kConstantBit | 1)) operand = format::kConstantBit | 2;
  }
  Loaded loaded(tables, &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  EXPECT_EQ(constant_bytes(), kWeightBytes);
  const std::vector<float> factors = weights();
  std::vector<float> products = expected(1);
  for (size_t i = 0; i < products.size(); ++i) products[i] *= factors[i];
  EXPECT_EQ(loaded.run({input()}), products);
}

TEST_P(SharedConstants, OnTwoThreadsAtOnce) {
  uint32_t right[2] = {};
  const auto work = [this](uint32_t& count) {
    for (int i = 0; i < 10; ++i) {
      Loaded loaded(scaled_tables(weights(), 2), &watched.device);
      if (loaded.load().ok() && loaded.run({input()}) == expected(2)) ++count;
    }
  };
  std::thread other([&] { work(right[1]); });
  work(right[0]);
  other.join();
  EXPECT_EQ(right[0], 10u);
  EXPECT_EQ(right[1], 10u);
}

// A load that fails at any call leaves what others share alone, and nothing of its own.
TEST_P(SharedConstants, OfALoadThatFails) {
  Loaded first(scaled_tables(weights(), 2), &watched.device);
  ASSERT_EQ(first.load().code, Code::kOk);
  const uint64_t of_first = live_bytes();
  const uint64_t constants_of_first = constant_bytes();
  vk::DeviceFunctions& fn = watched.device.fn;
  using Table = vk::DeviceFunctions;
  fn.allocate_memory = [](VkDevice device, const VkMemoryAllocateInfo* info,
                          const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
    return ++calls == fail_at ? VK_ERROR_INITIALIZATION_FAILED
                              : count_allocation(device, info, callbacks, memory);
  };
  fn.bind_buffer_memory = Failing<&Table::bind_buffer_memory>::call;
  fn.begin_command_buffer = Failing<&Table::begin_command_buffer>::call;
  fn.queue_submit = Failing<&Table::queue_submit>::call;
  fn.create_compute_pipelines = Failing<&Table::create_compute_pipelines>::call;
  uint32_t failures = 0;
  for (fail_at = 1;; ++fail_at, ++failures) {
    calls = 0;
    // Shares the weights with the first, and brings a small constant of its own.
    Loaded second(scaled_tables(weights(), 3), &watched.device);
    if (second.load().ok()) break;
    EXPECT_EQ(second.status.code, Code::kDeviceError) << "call " << fail_at;
    EXPECT_EQ(live_bytes(), of_first) << "call " << fail_at;
    EXPECT_EQ(constant_bytes(), constants_of_first) << "call " << fail_at;
  }
  EXPECT_GE(failures, 10u);
  fail_at = 0;
  EXPECT_EQ(first.run({input()}), expected(2));
}

TEST_P(SharedConstants, ThatTheCpuCannotReachAreRefused) {
  Loaded loaded(scaled_tables(weights(), 2), &watched.device);
  const vk::Task task = vk::make_task({&loaded.program, &loaded.program.variants()[0], nullptr, 0});
  Bindings bindings = loaded.program.bindings_of(*task.variant);
  vk::Task unreachable = task;
  unreachable.bindings = &bindings;
  std::vector<std::byte*> arenas(task.arenas.size());
  loaded.vulkan.state =
      loaded.state_memory(vk::state_bytes(loaded.program, loaded.program.variants()[0]));
  const Status status = vk::attach_task(loaded.vulkan, unreachable, arenas);
  EXPECT_EQ(status.code, Code::kNotLoaded);
  EXPECT_EQ(status.value, 0u);
}

INSTANTIATE_TEST_SUITE_P(Memory, SharedConstants, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& unified) {
                           return unified.param ? "unified" : "separate";
                         });

TEST(ConstantIndex, ComparesBytesWhereHashesAgree) {
  const std::byte a[] = {std::byte{1}, std::byte{2}}, b[] = {std::byte{1}, std::byte{3}};
  vk::ConstantIndex index;
  vk::ConstantUse first, second, third;
  first.bytes = static_cast<const std::byte*>(a);
  second.bytes = static_cast<const std::byte*>(b);
  first.size = second.size = 2;
  first.hash = second.hash = 7;
  vk::list_use(index, first, nullptr);
  EXPECT_EQ(vk::find_same(index, second), nullptr);
  vk::list_use(index, second, &first);
  third = vk::ConstantUse{};
  third.bytes = static_cast<const std::byte*>(a);
  third.size = 2;
  third.hash = 7;
  EXPECT_EQ(vk::find_same(index, third), &first);
  vk::share(index, third, first);
  EXPECT_FALSE(vk::unlist_use(index, first));
  EXPECT_FALSE(vk::unlist_use(index, second));
  EXPECT_EQ(vk::find_same(index, second), nullptr);
  EXPECT_EQ(vk::find_same(index, first), &third);
  EXPECT_TRUE(vk::unlist_use(index, third));
  EXPECT_EQ(index.buffers, 0u);
}

TEST(ConstantIndex, HashesEveryByte) {
  std::vector<std::byte> bytes(77);
  const uint32_t zeros = vk::hash_of_bytes(bytes.data(), 77);
  EXPECT_NE(zeros, vk::hash_of_bytes(bytes.data(), 76));
  for (std::byte& byte : bytes) {
    byte = std::byte{1};
    EXPECT_NE(vk::hash_of_bytes(bytes.data(), 77), zeros);
    byte = std::byte{0};
  }
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0

// Sizes that change between runs: commands are recorded again in what is there, and a size that
// cannot be had leaves the one before.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

#include "tests/vk/failing_calls.h"
#include "tests/vk/programs.h"
#include "tests/vk/vulkan_machine.h"
#include "tests/vk/watched_test.h"
#include "vk/timestamps.h"

namespace arenite::tests {
namespace {

constexpr uint32_t kSizes[] = {kElements, 1, kElements - 1, 64, 7, 8, 65, kElements, 2};

class Sizes : public WatchedTest {};

std::vector<float> input_of(uint32_t n) {
  std::vector<float> x = sample_input();
  x.resize(n);
  return x;
}

Status set(Loaded& loaded, uint32_t n) { return loaded.instance.set_symbols(std::array{n}); }

void expect_stack(Loaded& loaded, uint32_t n) {
  SCOPED_TRACE(n);
  EXPECT_EQ(loaded.instance.symbol(0), n);
  EXPECT_EQ(loaded.run({input_of(n)}), stack_output(input_of(n)));
  EXPECT_EQ(loaded.status.code, Code::kOk);
  EXPECT_EQ(loaded.vulkan.counters.dispatches_recorded, 2u);
  EXPECT_EQ(loaded.vulkan.counters.descriptor_sets, 2u);
  EXPECT_EQ(loaded.vulkan.counters.pipelines, 2u);
}

TEST_F(Sizes, GrowAndShrink) {
  for (const bool unified : {true, false}) {
    for (const bool elide : {true, false}) {
      watched.device.unified = unified;
      Loaded loaded(stack_tables(), &watched.device);
      loaded.vulkan.elide_transfers = elide;
      ASSERT_EQ(loaded.load().code, Code::kOk);
      expect_stack(loaded, kElements);
      for (const uint32_t n : kSizes) {
        ASSERT_EQ(set(loaded, n).code, Code::kOk) << n;
        expect_stack(loaded, n);
        expect_stack(loaded, n);
        EXPECT_EQ(loaded.vulkan.counters.transfers_elided, unified && elide ? 2u : 0u);
      }
    }
  }
}

// What a device takes from the host, and gives back, is what there is of the size.
TEST_F(Sizes, TransfersCopyElementsAlone) {
  static std::vector<uint64_t> copied;
  real = watched.device.fn;
  copied.clear();
  watched.device.unified = false;
  Loaded loaded(stack_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  watched.device.fn.cmd_copy_buffer = [](VkCommandBuffer commands, VkBuffer from, VkBuffer to,
                                         uint32_t regions, const VkBufferCopy* region) {
    copied.push_back(region->size);
    real.cmd_copy_buffer(commands, from, to, regions, region);
  };
  ASSERT_EQ(set(loaded, 5).code, Code::kOk);
  EXPECT_EQ(copied, (std::vector<uint64_t>{20, 40}));
  expect_stack(loaded, 5);
  watched.device.fn = real;
}

// Both outputs where a holds 1, 2, 3... row by row, and b and c likewise.
void expect_products(Loaded& loaded, uint32_t n, uint32_t m) {
  SCOPED_TRACE(n);
  EXPECT_EQ(loaded.instance.symbol(0), n);
  const auto counted = [](uint32_t columns) {
    std::vector<float> numbers(size_t{8} * columns);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i + 1);
    return numbers;
  };
  const std::vector<float> a = counted(8);
  const auto product = [&](uint32_t columns) {
    const std::vector<float> right = counted(columns);
    std::vector<float> y(size_t{8} * columns);
    for (uint32_t row = 0; row < 8; ++row) {
      for (uint32_t column = 0; column < columns; ++column) {
        for (uint32_t k = 0; k < 8; ++k) {
          y[row * columns + column] += a[row * 8 + k] * right[k * columns + column];
        }
      }
    }
    return y;
  };
  EXPECT_EQ(loaded.run({a, counted(n), counted(m)}), product(n));
  EXPECT_EQ(loaded.status.code, Code::kOk);
  EXPECT_EQ(loaded.output(1), product(m));
}

TEST_F(Sizes, KeepPipelinesThatFit) {
  static uint32_t made;
  real = watched.device.fn;
  watched.device.fn.create_compute_pipelines =
      [](VkDevice device, VkPipelineCache cache, uint32_t count,
         const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* callbacks,
         VkPipeline* pipelines) {
        made += count;
        return real.create_compute_pipelines(device, cache, count, infos, callbacks, pipelines);
      };
  for (const uint32_t kept : {1u, 2u}) {
    made = 0;
    Loaded loaded(products_tables(true, kept), &watched.device);
    ASSERT_EQ(loaded.load().code, Code::kOk);
    for (const uint32_t n : {7u, 4u, 3u, 8u, 5u}) {
      ASSERT_EQ(set(loaded, n).code, Code::kOk);
      expect_products(loaded, n, n);
      EXPECT_EQ(loaded.vulkan.counters.pipelines, 1u);
    }
    EXPECT_EQ(made, kept == 1 ? 6u : 2u);
  }
  watched.device.fn = real;
}

TEST_F(Sizes, HaveTheirTimesTaken) {
  if (watched.device.info.timestamp_bits == 0) GTEST_SKIP() << "the queue has no clock";
  Loaded loaded(stack_tables(), &watched.device);
  std::vector<uint64_t> ticks(vk::tick_count(loaded.program, loaded.program.variants()[0]));
  loaded.vulkan.ticks = ticks;
  ASSERT_EQ(loaded.load().code, Code::kOk);
  uint64_t last = 0;
  for (const uint32_t n : kSizes) {
    ASSERT_EQ(set(loaded, n).code, Code::kOk);
    expect_stack(loaded, n);
    const std::span<const uint64_t> seen = vk::ticks_of_stretch(loaded.vulkan, 0);
    ASSERT_EQ(seen.size(), 5u);  // the begin, and 4 steps
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    EXPECT_GT(seen.front(), last);
    last = seen.back();
  }
  loaded.instance.unload();
}

TEST_F(Sizes, RecordNothingAgainThatIsSet) {
  Loaded loaded(stack_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  ASSERT_EQ(set(loaded, 9).code, Code::kOk);
  const vk::DeviceFunctions kept = watched.device.fn;
  watched.device.fn.begin_command_buffer = nullptr;
  watched.device.fn.reset_command_pool = nullptr;
  EXPECT_EQ(set(loaded, 9).code, Code::kOk);
  expect_stack(loaded, 9);
  watched.device.fn = kept;
}

TEST_F(Sizes, NeedABackendThatFollows) {
  Loaded loaded(stack_tables(), &watched.device);
  loaded.takes_sizes = false;
  ASSERT_EQ(loaded.load().code, Code::kOk);
  EXPECT_EQ(set(loaded, 9).code, Code::kUnsupported);
  expect_stack(loaded, kElements);
}

TEST_F(Sizes, OutsideTheRangeChangeNothing) {
  Loaded loaded(stack_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  ASSERT_EQ(set(loaded, 10).code, Code::kOk);
  EXPECT_EQ(set(loaded, 0).code, Code::kSymbolOutOfRange);
  EXPECT_EQ(set(loaded, kElements + 1).code, Code::kSymbolOutOfRange);
  expect_stack(loaded, 10);
}

TEST_F(Sizes, ThatNeedMoreThanAnnouncedAreRefused) {
  Loaded loaded(products_tables(false, 1), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  expect_products(loaded, 8, 8);
  const Status status = set(loaded, 7);
  EXPECT_EQ(status.code, Code::kBadPlan);
  EXPECT_EQ(status.value, 1u);
  expect_products(loaded, 8, 8);
  ASSERT_EQ(set(loaded, 4).code, Code::kOk);
  expect_products(loaded, 4, 8);
  EXPECT_EQ(set(loaded, 5).code, Code::kBadPlan);
  expect_products(loaded, 4, 8);
  // The plan's own counts hold for the most, like those of dims that nobody chooses.
  planner::ProgramTables tables = products_tables(false, 2);
  tables.steps[0].dispatches = 0;
  tables.variants[0].dispatches = 1;
  EXPECT_EQ(Loaded(tables, &watched.device).load().code, Code::kBadStep);
  const auto expect_bad = [&](uint32_t value) {
    Loaded other(tables, &watched.device);
    EXPECT_EQ(other.load().code, Code::kBadPlan);
    EXPECT_EQ(other.status.value, value);
  };
  // More than dispatches can need would be made for nothing.
  tables = products_tables(false, 9);
  expect_bad(kNoIndex);
  tables = products_tables(false, 2);
  tables.variants[0].parameter_bytes = 1025;
  expect_bad(2);
  tables = products_tables(false, 2);
  tables.descriptor_sets[0].count = 3;
  expect_bad(3);
}

TEST_F(Sizes, AFailureOfAnyCallLeavesTheOnesBefore) {
  for (const bool unified : {true, false}) {
    watched.device.unified = unified;
    Loaded loaded(products_tables(true, 1), &watched.device);
    ASSERT_EQ(loaded.load().code, Code::kOk);
    ASSERT_EQ(set(loaded, 4).code, Code::kOk);
    real = watched.device.fn;
    vk::DeviceFunctions& fn = watched.device.fn;
    using Table = vk::DeviceFunctions;
    fn.allocate_descriptor_sets = Failing<&Table::allocate_descriptor_sets>::call;
    fn.begin_command_buffer = Failing<&Table::begin_command_buffer>::call;
    fn.create_compute_pipelines = Failing<&Table::create_compute_pipelines>::call;
    fn.create_shader_module = Failing<&Table::create_shader_module>::call;
    fn.end_command_buffer = Failing<&Table::end_command_buffer>::call;
    fn.reset_command_pool = Failing<&Table::reset_command_pool>::call;
    fn.reset_descriptor_pool = Failing<&Table::reset_descriptor_pool>::call;
    uint32_t failures = 0;
    for (fail_at = 1;; ++fail_at) {
      calls = 0;
      const Status status = set(loaded, 7);
      if (status.ok()) break;
      EXPECT_EQ(status.code, Code::kDeviceError) << "call " << fail_at;
      expect_products(loaded, 4, 4);
      ++failures;
    }
    EXPECT_EQ(failures, 8u);
    expect_products(loaded, 7, 7);
    fn = real;
  }
}

TEST_F(Sizes, WithoutAWayBackNothingRunsUntilAnotherIsSet) {
  Loaded loaded(stack_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  const vk::DeviceFunctions kept = watched.device.fn;
  watched.device.fn.reset_command_pool = [](VkDevice, VkCommandPool, VkCommandPoolResetFlags) {
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  };
  EXPECT_EQ(set(loaded, 64).code, Code::kDeviceMemory);
  EXPECT_EQ(loaded.instance.symbol(0), kElements);
  EXPECT_TRUE(loaded.run({sample_input()}).empty());
  EXPECT_EQ(loaded.status.code, Code::kNotLoaded);
  watched.device.fn = kept;
  ASSERT_EQ(set(loaded, 64).code, Code::kOk);
  expect_stack(loaded, 64);
}

TEST_F(Sizes, OfALostDeviceStay) {
  Loaded loaded(stack_tables(), &watched.device);
  loaded.vulkan.lose_at_submission = 2;
  ASSERT_EQ(loaded.load().code, Code::kOk);
  ASSERT_EQ(set(loaded, 20).code, Code::kOk);
  expect_stack(loaded, 20);
  EXPECT_TRUE(loaded.run({input_of(20)}).empty());
  EXPECT_EQ(loaded.status.code, Code::kDeviceLost);
  EXPECT_EQ(set(loaded, 21).code, Code::kDeviceLost);
  EXPECT_EQ(loaded.instance.symbol(0), 20u);
}

// Whatever the tables of symbols say, and the counts: it is refused, or keeps to what is its own,
// and to Vulkan's rules.
TEST_F(Sizes, OfDamagedTablesReachNothingElse) {
  std::mt19937 random(5);
  const auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
  const auto damage = [&](auto& records) {
    auto& record = records[below(records.size())];
    uint32_t words[sizeof(record) / 4];
    std::memcpy(words, &record, sizeof(record));
    uint32_t& word = words[below(std::size(words))];
    const uint32_t changed[] = {word + below(9) - 4, word ^ (1u << below(32)), below(64),
                                kNoIndex - below(3)};
    word = changed[below(std::size(changed))];
    std::memcpy(&record, words, sizeof(record));
  };
  uint32_t loads = 0, sets = 0, runs = 0;
  for (int i = 0; i < 400; ++i) {
    planner::ProgramTables tables = i % 2 == 0 ? stack_tables() : products_tables(i % 4 == 1, 2);
    switch (below(6)) {
      case 0:
        damage(tables.variants);
        break;
      case 1:
        damage(tables.descriptor_sets);
        break;
      case 2:
        damage(tables.symbols);
        break;
      case 3:
        damage(tables.expressions);
        break;
      default:
        damage(tables.patches);
        break;
    }
    Loaded loaded(tables, &watched.device);
    if (!loaded.load().ok()) continue;
    ++loads;
    for (const uint32_t n : {7u, 4u, 1u, 1000u}) {
      const bool is_set = set(loaded, n).ok();
      const bool has_run = loaded.instance.run().ok();
      EXPECT_TRUE(has_run);  // after a refused size as before
      sets += is_set ? 1u : 0u;
      runs += has_run ? 1u : 0u;
    }
  }
  EXPECT_GT(loads, 20u);
  EXPECT_GT(sets, 20u);
  EXPECT_GT(runs, sets);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0

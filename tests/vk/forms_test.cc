// Forms that take more than push constants: scratch, parameter blocks, what a device may lack.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/vk/failing_calls.h"
#include "tests/vk/programs.h"
#include "tests/vk/vulkan_machine.h"
#include "tests/vk/watched_test.h"

namespace arenite::tests {
namespace {

class Forms : public WatchedTest {
 protected:
  Status load_changed(void (*change)(planner::ProgramTables& tables)) {
    planner::ProgramTables tables = split_tables();
    change(tables);
    Loaded loaded(tables, &watched.device);
    return loaded.load();
  }
};

std::vector<float> left() {
  std::vector<float> a(2 * 512);
  for (uint32_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 5);
  return a;
}

std::vector<float> right() {
  std::vector<float> b(512 * 8);
  for (uint32_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 7) - 3;
  return b;
}

// Sums of small whole numbers are exact in any order.
std::vector<float> product() {
  const std::vector<float> a = left(), b = right();
  std::vector<float> y(2 * 8);
  for (uint32_t row = 0; row < 2; ++row) {
    for (uint32_t k = 0; k < 512; ++k) {
      for (uint32_t column = 0; column < 8; ++column) {
        y[row * 8 + column] += a[row * 512 + k] * b[k * 8 + column];
      }
    }
  }
  return y;
}

TEST_F(Forms, ScratchAndParametersOnAnyMemory) {
  for (const bool unified : {true, false}) {
    watched.device.unified = unified;
    Loaded loaded(split_tables(), &watched.device);
    ASSERT_EQ(loaded.load().code, Code::kOk);
    EXPECT_EQ(loaded.vulkan.arrays.parameters.bytes, 512u);
    EXPECT_EQ(loaded.vulkan.arrays.parameters.mapped != nullptr, unified);
    EXPECT_EQ(loaded.vulkan.counters.barriers_recorded, 1u);  // between the two passes
    EXPECT_EQ(loaded.run({left(), right()}), product());
    EXPECT_EQ(loaded.run({left(), right()}), product());
  }
}

TEST_F(Forms, OfStepsThatSayOtherwiseAreRefused) {
  EXPECT_EQ(load_changed([](auto&) {}).code, Code::kOk);
  const auto refused = [this](void (*change)(planner::ProgramTables & tables), Code code) {
    EXPECT_EQ(load_changed(change).code, code);
  };
  refused([](auto& tables) { tables.steps[0].form = 3; }, Code::kUnsupported);
  refused([](auto& tables) { tables.steps[0].choice = 5; }, Code::kUnsupported);
  refused([](auto& tables) { tables.steps[0].choice = 0x80000001; }, Code::kUnsupported);
  refused([](auto& tables) { tables.steps[0].scratch_count = 0; }, Code::kUnsupported);
  // More parts than there is scratch for.
  refused([](auto& tables) { tables.steps[0].choice = 2; }, Code::kUnsupported);
  refused([](auto& tables) { tables.values[3].offset = 128; }, Code::kUnsupported);
  refused([](auto& tables) { tables.variants[0].parameter_bytes = 256; }, Code::kBadPlan);
  refused([](auto& tables) { tables.variants[0].parameter_bytes = 0; }, Code::kBadPlan);
  refused([](auto& tables) { tables.descriptor_sets[0].layout = 0x111; }, Code::kBadPlan);
}

TEST_F(Forms, ThatCannotBeMadeLeaveNothing) {
  watched.device.unified = false;  // parameters go through staging
  real = watched.device.fn;
  vk::DeviceFunctions& fn = watched.device.fn;
  using Table = vk::DeviceFunctions;
  fn.create_buffer = Failing<&Table::create_buffer>::call;
  fn.begin_command_buffer = Failing<&Table::begin_command_buffer>::call;
  fn.allocate_descriptor_sets = Failing<&Table::allocate_descriptor_sets>::call;
  fn.queue_submit = Failing<&Table::queue_submit>::call;
  uint32_t failures = 0;
  for (fail_at = 1;; ++fail_at, ++failures) {
    calls = 0;
    Loaded loaded(split_tables(), &watched.device);
    if (loaded.load().ok()) break;
    EXPECT_EQ(loaded.status.code, Code::kDeviceError) << "call " << fail_at;
  }
  EXPECT_GE(failures, 8u);
}

TEST_F(Forms, ThatADeviceLacksWhatTheyNeedAreRefusedByIt) {
  const auto id = static_cast<uint32_t>(Capability::kSubgroupSize);
  uint32_t& subgroup_size = watched.device.info.capabilities.numbers[id];
  if (subgroup_size == 0) GTEST_SKIP() << "the device does no arithmetic across subgroups";
  {
    Loaded loaded(softmax_tables(), &watched.device);
    ASSERT_EQ(loaded.load().code, Code::kOk);
    std::vector<float> x(3 * 300);
    for (uint32_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 11) * 0.25f;
    const std::vector<float> y = loaded.run({x});
    ASSERT_EQ(y.size(), x.size());
    for (uint32_t row = 0; row < 3; ++row) {
      double sum = 0;
      for (uint32_t i = 0; i < 300; ++i) sum += std::exp(double{x[row * 300 + i]});
      for (uint32_t i = 0; i < 300; ++i) {
        EXPECT_NEAR(y[row * 300 + i], std::exp(double{x[row * 300 + i]}) / sum, 1e-6);
      }
    }
  }
  subgroup_size = 0;
  Loaded loaded(softmax_tables(), &watched.device);
  EXPECT_EQ(loaded.load().code, Code::kUnsupported);
  EXPECT_EQ(loaded.status.step, 0u);
  EXPECT_EQ(loaded.status.value, id);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0

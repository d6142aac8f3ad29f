// The plan's counts are exact: what is made is what was announced, and any other count is refused.
#include <gtest/gtest.h>

#include "tests/vk/failing_calls.h"
#include "tests/vk/programs.h"
#include "tests/vk/vulkan_machine.h"

namespace arenite::tests {
namespace {

// Counts calls on their way to the driver.
uint32_t dispatches_seen = 0;
uint32_t copies_seen = 0;
uint32_t sets_in_pools = 0;
uint32_t buffers_in_pools = 0;

void VKAPI_CALL count_dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
  ++dispatches_seen;
  real.cmd_dispatch(commands, x, y, z);
}

void VKAPI_CALL count_copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to, uint32_t regions,
                           const VkBufferCopy* region) {
  ++copies_seen;
  real.cmd_copy_buffer(commands, from, to, regions, region);
}

VkResult VKAPI_CALL count_pool(VkDevice device, const VkDescriptorPoolCreateInfo* info,
                               const VkAllocationCallbacks* callbacks, VkDescriptorPool* pool) {
  sets_in_pools += info->maxSets;
  buffers_in_pools += info->pPoolSizes[0].descriptorCount;
  return real.create_descriptor_pool(device, info, callbacks, pool);
}

class Counts : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(watched.opened.ok());
    dispatches_seen = copies_seen = sets_in_pools = buffers_in_pools = 0;
    real = watched.device.fn;
    watched.device.fn.cmd_dispatch = count_dispatch;
    watched.device.fn.cmd_copy_buffer = count_copy;
    watched.device.fn.create_descriptor_pool = count_pool;
  }
  void TearDown() override {
    vk::close_device(watched.device);
    EXPECT_EQ(watched.watch.count(), 0u);
  }
  // The status of loading the chain after `change`.
  Status load_changed(void (*change)(planner::ProgramTables& tables)) {
    planner::ProgramTables tables = chain_tables();
    change(tables);
    Loaded loaded(tables, &watched.device);
    return loaded.load();
  }

  WatchedDevice watched;
};

TEST_F(Counts, AreWhatTheDriverSees) {
  Loaded loaded(chain_tables(), &watched.device);
  loaded.vulkan.elide_transfers = false;
  ASSERT_EQ(loaded.load().code, Code::kOk);
  const uint32_t constants = watched.device.unified ? 0 : 1;
  EXPECT_EQ(dispatches_seen, 2u);
  EXPECT_EQ(copies_seen, 2u + constants);
  EXPECT_EQ(sets_in_pools, 2u);
  EXPECT_EQ(buffers_in_pools, 6u);
  const vk::BackendCounters& counters = loaded.vulkan.counters;
  EXPECT_EQ(counters.dispatches_recorded, 2u);
  EXPECT_EQ(counters.transfers_recorded, 2u);
  EXPECT_EQ(counters.transfers_elided, 0u);
  EXPECT_EQ(counters.barriers_recorded, 3u);
  EXPECT_EQ(counters.descriptor_sets, 2u);
  EXPECT_EQ(counters.pipelines, 2u);
  EXPECT_EQ(counters.stretches, 1u);
  EXPECT_EQ(counters.submissions, 0u);
  // Running records nothing again.
  EXPECT_EQ(loaded.run({sample_input()}), chain_output());
  EXPECT_EQ(loaded.run({sample_input()}), chain_output());
  EXPECT_EQ(dispatches_seen, 2u);
  EXPECT_EQ(counters.submissions, 2u);
}

TEST_F(Counts, OfDispatchesMustHold) {
  Status status = load_changed([](auto& tables) { ++tables.variants[0].dispatches; });
  EXPECT_EQ(status.code, Code::kBadPlan);
  status = load_changed([](auto& tables) { --tables.variants[0].dispatches; });
  EXPECT_EQ(status.code, Code::kBadPlan);
  // Both agree with each other, not with what the step really does.
  status = load_changed([](auto& tables) {
    ++tables.variants[0].dispatches;
    ++tables.steps[2].dispatches;
  });
  EXPECT_EQ(status.code, Code::kBadStep);
  EXPECT_EQ(status.step, 2u);
  EXPECT_EQ(sets_in_pools, 0u);  // nothing was made
}

TEST_F(Counts, OfPipelinesMustHold) {
  Status status = load_changed([](auto& tables) { --tables.variants[0].pipelines; });
  EXPECT_EQ(status.code, Code::kBadPlan);
  EXPECT_EQ(status.value, 1u);
  // One more than dispatches cannot be; fewer distinct ones than announced is found by counting.
  status = load_changed([](auto& tables) { tables.variants[0].pipelines = 3; });
  EXPECT_EQ(status.code, Code::kBadPlan);
  status = load_changed([](auto& tables) {
    tables.steps[2].op = static_cast<uint16_t>(Op::kAdd);  // now both steps use one pipeline
  });
  EXPECT_EQ(status.code, Code::kBadPlan);
  EXPECT_EQ(status.value, 1u);
}

TEST_F(Counts, OfDescriptorSetsMustHoldForEachLayout) {
  const auto refused = [this](void (*change)(planner::ProgramTables & tables), uint32_t value) {
    const Status status = load_changed(change);
    EXPECT_EQ(status.code, Code::kBadPlan);
    EXPECT_EQ(status.value, value);
  };
  refused([](auto& tables) { ++tables.descriptor_sets[0].count; }, 3);
  refused([](auto& tables) { --tables.descriptor_sets[0].count; }, 3);
  refused([](auto& tables) { tables.descriptor_sets[0].count = 0; }, 3);
  // Other layouts: of two buffers, of three and parameters, of none that shaders have.
  refused([](auto& tables) { tables.descriptor_sets[0].layout = 0x11; }, 3);
  refused([](auto& tables) { tables.descriptor_sets[0].layout = 0x2111; }, 3);
  refused([](auto& tables) { tables.descriptor_sets[0].layout = 0xffffffff; }, 3);
  refused([](auto& tables) { tables.descriptor_sets[0].layout = 0; }, 3);
  // A layout too many, twice, or left out.
  static constexpr auto add = [](planner::ProgramTables& tables, uint32_t layout, uint32_t sets) {
    tables.descriptor_sets.push_back({layout, sets});
    ++tables.variants[0].descriptor_set_count;
    tables.variants[1].descriptor_set_first = 2;
  };
  refused([](auto& tables) { add(tables, 0x11, 1); }, 4);
  refused([](auto& tables) { add(tables, 0x111, 2); }, 4);
  refused(
      [](auto& tables) {
        tables.descriptor_sets.clear();
        tables.variants[0].descriptor_set_count = 0;
        tables.variants[1].descriptor_set_first = 0;
      },
      3);
  refused([](auto& tables) { tables.variants[0].parameter_bytes = 256; }, 2);
  EXPECT_EQ(sets_in_pools, 0u);  // nothing was made
}

TEST_F(Counts, GiveTheExactSizeOfTheState) {
  const Loaded opened(chain_tables(), nullptr);
  const size_t bytes = vk::state_bytes(opened.program, opened.program.variants()[0]);
  // 3 arenas, 1 constant, 2 pipelines, 1 stretch, 6 values.
  EXPECT_EQ(bytes, 3 * sizeof(vk::Buffer) + sizeof(vk::ConstantUse) + 2 * sizeof(vk::Pipeline) +
                       sizeof(vk::Stretch) + 6 * sizeof(uint32_t));
  Loaded loaded(chain_tables(), &watched.device);
  loaded.state_bytes_given = bytes - 1;
  EXPECT_EQ(loaded.load().code, Code::kArenaTooSmall);
  loaded.status = {};
  loaded.state_bytes_given = bytes;
  EXPECT_EQ(loaded.load().code, Code::kOk);
}

TEST_F(Counts, ThatCannotBeTrueAskForNoMemory) {
  planner::ProgramTables tables = chain_tables();
  tables.variants[0].pipelines = 0xffffffffu;
  const Loaded loaded(tables, nullptr);
  EXPECT_EQ(vk::state_bytes(loaded.program, loaded.program.variants()[0]), 0u);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0

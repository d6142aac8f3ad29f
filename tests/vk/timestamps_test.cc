// The device's clock: a tick for each step where it is asked for, and not one command where not.
#include "vk/timestamps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/vk/failing_calls.h"
#include "tests/vk/programs.h"
#include "tests/vk/vulkan_machine.h"

namespace arenite::tests {
namespace {

// Counts calls on their way to the driver.
uint32_t stamps_seen = 0;

void VKAPI_CALL count_stamp(VkCommandBuffer commands, VkPipelineStageFlagBits stage,
                            VkQueryPool pool, uint32_t query) {
  ++stamps_seen;
  real.cmd_write_timestamp(commands, stage, pool, query);
}

VkResult VKAPI_CALL refuse_pool(VkDevice, const VkQueryPoolCreateInfo*,
                                const VkAllocationCallbacks*, VkQueryPool*) {
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

class Timestamps : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(watched.opened.ok());
    stamps_seen = 0;
    real = watched.device.fn;
    watched.device.fn.cmd_write_timestamp = count_stamp;
  }
  void TearDown() override {
    vk::close_device(watched.device);
    EXPECT_EQ(watched.watch.count(), 0u);
  }
  // A loaded program, with as many ticks as it takes.
  std::unique_ptr<Loaded> load(const planner::ProgramTables& tables, std::vector<uint64_t>& ticks) {
    auto loaded = std::make_unique<Loaded>(tables, &watched.device);
    ticks.assign(vk::tick_count(loaded->program, loaded->program.variants()[0]), 0);
    loaded->vulkan.ticks = ticks;
    EXPECT_EQ(loaded->load().code, Code::kOk);
    return loaded;
  }
  WatchedDevice watched;
};

TEST_F(Timestamps, NothingIsRecordedUnlessAsked) {
  Loaded chain(chain_tables(), &watched.device);
  ASSERT_EQ(chain.load().code, Code::kOk);
  EXPECT_EQ(stamps_seen, 0u);
  EXPECT_EQ(chain.vulkan.queries, static_cast<VkQueryPool>(VK_NULL_HANDLE));
  EXPECT_EQ(chain.run({sample_input()}), chain_output());
  EXPECT_TRUE(vk::ticks_of_stretch(chain.vulkan, 0).empty());
}

TEST_F(Timestamps, OneForTheBeginAndOneForEachStep) {
  if (watched.device.info.timestamp_bits == 0) GTEST_SKIP() << "the queue has no clock";
  std::vector<uint64_t> ticks;
  // Lavapipe would leave the transfers out; a tick is theirs all the same.
  for (const bool elide : {false, true}) {
    stamps_seen = 0;
    auto loaded = std::make_unique<Loaded>(chain_tables(), &watched.device);
    ticks.assign(vk::tick_count(loaded->program, loaded->program.variants()[0]), 0);
    EXPECT_EQ(ticks.size(), 5u);  // 4 device steps
    loaded->vulkan.ticks = ticks;
    loaded->vulkan.elide_transfers = elide;
    ASSERT_EQ(loaded->load().code, Code::kOk);
    EXPECT_EQ(stamps_seen, 5u);
    uint64_t last = 0;
    for (int run = 0; run < 3; ++run) {
      EXPECT_EQ(loaded->run({sample_input()}), chain_output());
      const std::span<const uint64_t> seen = vk::ticks_of_stretch(loaded->vulkan, 0);
      ASSERT_EQ(seen.size(), 5u);
      EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
      EXPECT_GT(seen.front(), last);
      last = seen.back();
    }
  }
}

TEST_F(Timestamps, EachStretchHasItsOwn) {
  if (watched.device.info.timestamp_bits == 0) GTEST_SKIP() << "the queue has no clock";
  std::vector<uint64_t> ticks;
  const auto loaded = load(sandwich_tables(), ticks);
  EXPECT_EQ(loaded->run({sample_input()}), sandwich_output());
  const auto first = vk::ticks_of_stretch(loaded->vulkan, 0);
  const auto second = vk::ticks_of_stretch(loaded->vulkan, 4);
  EXPECT_EQ(first.size(), 4u);   // steps 0 to 2
  EXPECT_EQ(second.size(), 4u);  // steps 4 to 6
  EXPECT_EQ(ticks.size(), 8u);
  EXPECT_GE(second.front(), first.back());
  EXPECT_TRUE(vk::ticks_of_stretch(loaded->vulkan, 3).empty());
}

TEST_F(Timestamps, AQueueWithoutAClockRunsAllTheSame) {
  watched.device.info.timestamp_bits = 0;
  std::vector<uint64_t> ticks;
  const auto loaded = load(chain_tables(), ticks);
  EXPECT_EQ(stamps_seen, 0u);
  EXPECT_EQ(loaded->run({sample_input()}), chain_output());
  EXPECT_TRUE(vk::ticks_of_stretch(loaded->vulkan, 0).empty());
}

TEST_F(Timestamps, TooLittleRoomAndADriverThatRefuses) {
  if (watched.device.info.timestamp_bits == 0) GTEST_SKIP() << "the queue has no clock";
  std::vector<uint64_t> ticks(4);
  Loaded loaded(chain_tables(), &watched.device);
  loaded.vulkan.ticks = ticks;
  EXPECT_EQ(loaded.load().code, Code::kArenaTooSmall);
  ticks.resize(5);
  loaded.vulkan.ticks = ticks;
  loaded.status = ok_status();
  watched.device.fn.create_query_pool = refuse_pool;
  EXPECT_EQ(loaded.load().code, Code::kDeviceMemory);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0

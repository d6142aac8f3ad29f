// Counts, writes and reads timestamp queries.
#include "vk/timestamps.h"

#include "vk/problem.h"

namespace arenite::vk {
namespace {

// The clock's readings for the steps [first, last): one at the begin, one after each device step.
uint32_t ticks_of(Records<format::StepRecord> steps, StepRange range) {
  uint32_t count = 1;
  for (uint32_t i = range.first; i < range.last; ++i) {
    count += is_device_step(steps[i]) ? 1u : 0u;
  }
  return count;
}

}  // namespace

uint32_t tick_count(const Program& program, const format::VariantRecord& variant) {
  const auto steps = program.steps_of(variant);
  uint32_t count = 0;
  for (StepRange r = next_stretch(steps, 0); r.first < r.last; r = next_stretch(steps, r.last)) {
    count += ticks_of(steps, r);
  }
  return count;
}

Status make_queries(const Device& device, const Task& task, std::span<Stretch> stretches,
                    std::span<const uint64_t> ticks, VkQueryPool& queries) {
  if (device.info.timestamp_bits == 0) {
    return ok_status();
  }
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  StepRange range{0, 0};
  for (Stretch& stretch : stretches) {
    range = next_stretch(task.steps, range.last);
    stretch.first_tick = info.queryCount;
    stretch.ticks = ticks_of(task.steps, range);
    info.queryCount += stretch.ticks;
  }
  if (info.queryCount > ticks.size()) {
    return arenite::error(Code::kArenaTooSmall);
  }
  if (info.queryCount == 0) {
    return ok_status();
  }
  return to_status(device.fn.create_query_pool(device.handle, &info, nullptr, &queries));
}

void begin_ticks(const Device& device, VkQueryPool queries, VkCommandBuffer commands,
                 const Stretch& stretch) {
  if (queries == VK_NULL_HANDLE) {
    return;
  }
  device.fn.cmd_reset_query_pool(commands, queries, stretch.first_tick, stretch.ticks);
  device.fn.cmd_write_timestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries,
                                stretch.first_tick);
}

void add_tick(const Device& device, VkQueryPool queries, VkCommandBuffer commands, uint32_t tick) {
  if (queries != VK_NULL_HANDLE) {
    // Written when all commands before it have finished.
    device.fn.cmd_write_timestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, tick);
  }
}

Status read_ticks(const Device& device, VkQueryPool queries, const Stretch& stretch,
                  std::span<uint64_t> ticks) {
  if (queries == VK_NULL_HANDLE) {
    return ok_status();
  }
  const std::span<uint64_t> to = ticks.subspan(stretch.first_tick, stretch.ticks);
  return to_status(device.fn.get_query_pool_results(device.handle, queries, stretch.first_tick,
                                                    stretch.ticks, to.size_bytes(), to.data(),
                                                    sizeof(uint64_t), VK_QUERY_RESULT_64_BIT));
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0

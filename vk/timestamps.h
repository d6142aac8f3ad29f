// The device's clock at the begin of each stretch and after each of its steps, where someone asks.
#pragma once

#include <cstdint>
#include <span>

#include "core/program.h"
#include "vk/device.h"
#include "vk/state.h"
#include "vk/task.h"

namespace arenite::vk {

// Words that the ticks of a variant take: of each stretch one for its begin and one for the end of
// each device step (views have none), in the order of the steps.
uint32_t tick_count(const Program& program, const format::VariantRecord& variant);

// Numbers the ticks of the stretches and makes a query for each; none where the queue has no clock.
// kArenaTooSmall where `ticks` has no room for them.
Status make_queries(const Device& device, const Task& task, std::span<Stretch> stretches,
                    std::span<const uint64_t> ticks, VkQueryPool& queries);

// Records the begin of a stretch, and the end of one of its steps. Nothing without `queries`.
void begin_ticks(const Device& device, VkQueryPool queries, VkCommandBuffer commands,
                 const Stretch& stretch);
void add_tick(const Device& device, VkQueryPool queries, VkCommandBuffer commands, uint32_t tick);

// Reads the ticks of a stretch that has run into their places in `ticks`.
Status read_ticks(const Device& device, VkQueryPool queries, const Stretch& stretch,
                  std::span<uint64_t> ticks);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0

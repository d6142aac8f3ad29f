// Counts the Vulkan objects that the steps of a variant need, and holds the plan to its own counts.
#pragma once

#include <cstdint>
#include <span>

#include "core/status.h"
#include "vk/state.h"
#include "vk/task.h"

namespace arenite::vk {

struct ObjectCounts {
  uint32_t dispatches = 0;
  uint32_t pipelines = 0;                      // distinct (shader, specialisation) pairs
  uint32_t descriptor_sets[kMaxBuffers] = {};  // by storage buffers - 1
};

// Emits the dispatches of every Vulkan step, counts, and notes in `state` the distinct pipelines
// and the constants that the device reads, without making them. kBadStep (with the step) where a
// step's own count of dispatches is wrong; kBadPlan (value = 1) when the state has no room for the
// pipelines.
Status count_objects(const Task& task, State& state, ObjectCounts& counts);

// kBadPlan when the variant announces other counts; value: 0 dispatches, 1 pipelines, 2..5
// descriptor sets of 1..4 buffers, 6..9 those of prepacking (which copies and needs none).
Status compare_counts(const format::VariantRecord& variant, const ObjectCounts& counts);

// The index in `table` of the pipeline a dispatch runs, or the size of `table`.
size_t find_pipeline(std::span<const Pipeline> table, const Dispatch& dispatch);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0

// Counts the Vulkan objects that the steps of a variant need, and holds the plan to its own counts.
#pragma once

#include <cstdint>
#include <span>

#include "core/status.h"
#include "vk/device.h"
#include "vk/set_layouts.h"
#include "vk/state.h"
#include "vk/task.h"

namespace arenite::vk {

struct ObjectCounts {
  uint32_t dispatches = 0;
  uint32_t pipelines = 0;                      // distinct (shader, specialization) pairs in use
  uint32_t descriptor_sets[kSetLayouts] = {};  // by set_layout_index
  uint64_t parameter_bytes = 0;
  uint32_t flags = 0;  // dispatches with one
};

// Emits the dispatches of every Vulkan step, counts, and notes in `state` the distinct pipelines
// and the constants that the device reads, without making them. Pipelines that are there and not in
// use stay, as far as there is room. kBadStep (with the step) where a step's own count of
// dispatches is wrong; kUnsupported (with the step) where the device lacks what its form needs
// (value = the capability) or no shader does it; kBadPlan (value = 1) when the state has no room
// for the pipelines.
Status count_objects(const Device& device, const Task& task, State& state, ObjectCounts& counts);

// kBadPlan when the variant announces other counts, or fewer where dims follow from symbols; value:
// 0 dispatches, 1 pipelines, 2 bytes of parameters, from 3 on its records of descriptor sets, and
// one more for a layout that it leaves out.
Status compare_counts(const Task& task, const ObjectCounts& counts);

// The counts of descriptor sets that the variant announces, of which compare_counts has approved.
void announced_sets(const Task& task, std::span<uint32_t, kSetLayouts> counts);

// The index in `table` of the pipeline a dispatch runs, or the size of `table`.
size_t find_pipeline(std::span<const Pipeline> table, const Dispatch& dispatch);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0

// Records the commands of a variant's device steps: once, and again where its dims change.
#pragma once

#include <cstdint>

#include "vk/descriptors.h"
#include "vk/device.h"
#include "vk/state.h"
#include "vk/task.h"

namespace arenite::vk {

// Counts the recorded commands of one variant; tests compare them with the plan.
struct RecordCounters {
  uint32_t dispatches_recorded = 0;  // vkCmdDispatch
  uint32_t transfers_recorded = 0;   // vkCmdCopyBuffer
  uint32_t transfers_elided = 0;
  uint32_t barriers_recorded = 0;  // those the plan asks for; each stretch closes with one more
  uint32_t descriptor_sets = 0;
};

// The objects that recording needs.
struct Recording {
  Device& device;
  const Task& task;
  const DescriptorPools& pools;
  State& state;  // its objects exist
  RecordCounters& counters;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkQueryPool queries = VK_NULL_HANDLE;  // not null: the commands also take the time of each step
  VkFence fence = VK_NULL_HANDLE;        // free; for bringing parameters to the device
};

// Records every stretch of the task into its command buffer, which is allocated from `pool` where
// it has none, and fills the parameter blocks of the dispatches. Buffers that are there are in the
// initial state, and descriptor pools are full. Errors name the step: kBadStep (value) for an
// operand that no buffer of the device holds, kBadRange (value) for one larger than the device can
// bind.
Status record_stretches(const Recording& recording);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0

// The Vulkan backend of one instance: what it made for a variant, and the table the core calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/backend.h"
#include "core/predicate.h"
#include "vk/descriptors.h"
#include "vk/device.h"
#include "vk/record.h"
#include "vk/state.h"

namespace arenite::vk {

struct BackendCounters : RecordCounters {
  uint32_t pipelines = 0;
  uint32_t stretches = 0;
  uint32_t submissions = 0;  // of runs; not those that bring constants to the device
  uint32_t stretches_run = 0, dispatches_run = 0;  // that they held
};

// The backend of one instance. The caller fills the first part, and keeps device, state and this
// struct in place until the instance is unloaded.
struct VulkanBackend {
  Device* device = nullptr;
  std::span<std::byte> state;   // at least state_bytes(program, variant), 8-aligned
  bool elide_transfers = true;  // use inputs and outputs in place where copies gain nothing
  // At least tick_count(program, variant) words (timestamps.h): each stretch leaves there what the
  // device's clock showed. Empty: no time is taken, and the commands hold nothing of it.
  std::span<uint64_t> ticks;
  uint32_t lose_at_submission = 0;  // for tests: this submission, counted from 1, loses the device

  BackendCounters counters;  // of the attached variant

  // The backend's own.
  PredicateTask predicates;  // no program: none
  State arrays;
  DescriptorPools pools;
  VkCommandPool command_pool = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  VkQueryPool queries = VK_NULL_HANDLE;
  bool attached = false;
  bool recorded = false;   // for the sizes that are set
  bool in_flight = false;  // a submission outlasted its time and may still be running
  bool lost = false;       // the device, really or for a test
};

// The table for Instance::load. attach fails with kBadPlan or kBadStep where the plan's counts are
// wrong (objects.h, state.h), kArenaTooSmall for the state, kDeviceMemory, or a driver's error; run
// with kDeviceLost from the moment the device is lost on, or kDeviceError (value = VK_TIMEOUT).
// resize fails as attach does, where a size needs more than the plan announces or the driver gives;
// then run does with kNotLoaded, until another resize succeeds.
Backend make_backend(VulkanBackend& backend);

// The readings of the clock in the last run of the stretch that begins at step `first`: one at its
// begin, and one after each of its device steps. Empty where no time is taken, the queue has no
// clock, or the stretch has nothing to do. Only the low Device::info.timestamp_bits bits of each
// word count, in units of limits.timestampPeriod nanoseconds.
std::span<const uint64_t> ticks_of_stretch(const VulkanBackend& backend, uint32_t first);

// The functions behind the table, for a task that comes from no program (the self-test).
Status attach_task(VulkanBackend& backend, const Task& task, std::span<std::byte*> arenas);
Status run_stretches(VulkanBackend& backend, std::span<const StepRange> stretches);
void detach_task(VulkanBackend& backend);
Status resize_task(VulkanBackend& backend, const Task& task);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0

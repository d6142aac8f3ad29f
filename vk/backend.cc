// Attaches, resizes, runs and detaches: the order in which the other files of this folder are used.
#include "vk/backend.h"

#include <algorithm>

#include "vk/constants.h"
#include "vk/elide.h"
#include "vk/flags.h"
#include "vk/objects.h"
#include "vk/pipelines.h"
#include "vk/problem.h"
#include "vk/timestamps.h"
#include "vk/zeros.h"

namespace arenite::vk {
namespace {

using format::ArenaKind;

// Whether a CPU step reads or writes values of an arena.
bool cpu_steps_use(const Task& task, uint32_t arena) {
  for (uint32_t i = 0; i < task.steps.size(); ++i) {
    const Step step(*task.bindings, task.steps[i], i);
    if (step.where() != format::Where::kCpu) continue;
    for (uint32_t k = 0; k < step.operand_count(); ++k) {
      const uint32_t operand = step.operand_words()[k];
      if (!format::is_constant(operand) && task.values[operand].place == arena) return true;
    }
  }
  return false;
}

MemoryUse use_of(const Device& device, const Task& task, uint32_t arena) {
  switch (static_cast<ArenaKind>(task.arenas[arena].kind)) {
    case ArenaKind::kUpload:
      return device.window && !cpu_steps_use(task, arena) ? MemoryUse::kInputs : MemoryUse::kUpload;
    case ArenaKind::kReadback:
      return MemoryUse::kReadback;
    default:
      return MemoryUse::kDevice;
  }
}

Status make_arenas(VulkanBackend& backend, const Task& task, std::span<std::byte*> addresses) {
  for (uint32_t i = 0; i < task.arenas.size(); ++i) {
    const auto kind = static_cast<ArenaKind>(task.arenas[i].kind);
    if (!format::is_device_arena(kind)) {
      continue;
    }
    Buffer& buffer = backend.arrays.arenas[i];
    if (Status status = create_buffer(*backend.device, use_of(*backend.device, task, i),
                                      task.arenas[i].bytes, buffer);
        !status.ok()) {
      status.value = status.code == Code::kDeviceMemory ? i : status.value;
      return status;
    }
    addresses[i] = buffer.mapped;
  }
  return ok_status();
}

Status make_command_pool(VulkanBackend& backend) {
  const Device& device = *backend.device;
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.queueFamilyIndex = device.info.queue_family;
  ARENITE_VK_TRY(
      device.fn.create_command_pool(device.handle, &pool, nullptr, &backend.command_pool));
  VkFenceCreateInfo fence{};
  fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  return to_status(device.fn.create_fence(device.handle, &fence, nullptr, &backend.fence));
}

Status record(VulkanBackend& backend, const Task& task, const ObjectCounts& counts) {
  backend.counters.pipelines = counts.pipelines;
  static_cast<RecordCounters&>(backend.counters) = {};
  Recording recording{*backend.device, task, backend.pools, backend.arrays, backend.counters};
  recording.pool = backend.command_pool;
  recording.queries = backend.queries;
  recording.fence = backend.fence;
  ARENITE_TRY(record_stretches(recording));
  backend.recorded = true;
  return ok_status();
}

Status make_all(VulkanBackend& backend, const Task& task, std::span<std::byte*> addresses) {
  Device& device = *backend.device;
  ObjectCounts counts;
  ARENITE_TRY(count_objects(device, task, backend.arrays, counts));
  ARENITE_TRY(compare_counts(task, counts));
  ARENITE_TRY(make_command_pool(backend));
  ARENITE_TRY(make_arenas(backend, task, addresses));
  ARENITE_TRY(fill_with_zeros(device, backend.arrays.arenas, backend.command_pool, backend.fence));
  ARENITE_TRY(acquire_constants(device, task, backend.fence, backend.arrays.constants));
  device.phases.tell(Phase::kUpload);
  ARENITE_TRY(make_pipelines(device, backend.arrays.pipelines));
  device.phases.tell(Phase::kPipelines);
  // As much as the plan announces, which is what any of its sizes needs.
  uint32_t sets[kSetLayouts];
  announced_sets(task, sets);
  ARENITE_TRY(make_pools(device, sets, backend.pools));
  if (task.variant->parameter_bytes != 0) {
    ARENITE_TRY(create_buffer(device, MemoryUse::kConstants, task.variant->parameter_bytes,
                              backend.arrays.parameters));
  }
  ARENITE_TRY(make_flags(device, counts.flags, backend.arrays.flags));
  if (backend.elide_transfers) {
    elide_transfers(device, task, backend.arrays);
  }
  if (!backend.ticks.empty()) {
    ARENITE_TRY(
        make_queries(device, task, backend.arrays.stretches, backend.ticks, backend.queries));
  }
  backend.counters.stretches = static_cast<uint32_t>(backend.arrays.stretches.size());
  ARENITE_TRY(record(backend, task, counts));
  device.phases.tell(Phase::kCommands);
  return ok_status();
}

// Makes again what depends on dims, of the objects that are there. Which transfers are left out
// does not: elide.h looks at the places of arena values, which no size moves.
Status remake(VulkanBackend& backend, const Task& task) {
  Device& device = *backend.device;
  ARENITE_VK_TRY(device.fn.reset_command_pool(device.handle, backend.command_pool, 0));
  ARENITE_TRY(reset_pools(device, backend.pools));
  ObjectCounts counts;
  ARENITE_TRY(count_objects(device, task, backend.arrays, counts));
  ARENITE_TRY(compare_counts(task, counts));
  ARENITE_TRY(make_pipelines(device, backend.arrays.pipelines));
  if (counts.flags > flag_count(backend.arrays.flags)) {
    destroy_buffer(device, backend.arrays.flags);
    ARENITE_TRY(make_flags(device, counts.flags, backend.arrays.flags));
  }
  return record(backend, task, counts);
}

Status for_mapped_arenas(const VulkanBackend& backend,
                         Status (*act)(const Device& device, const Buffer& buffer)) {
  for (const Buffer& buffer : backend.arrays.arenas) {
    ARENITE_TRY(act(*backend.device, buffer));
  }
  return ok_status();
}

// What is to be submitted together; none of it is empty.
struct Batch {
  const Stretch* stretches[kStretchesAtOnce];
  VkCommandBuffer commands[kStretchesAtOnce];
  uint32_t count = 0;

  void add(const Stretch& stretch) {
    stretches[count] = &stretch;
    commands[count] = stretch.commands;
    ++count;
  }
};

Status submit(VulkanBackend& backend, const Batch& batch) {
  ++backend.counters.submissions;
  if (backend.counters.submissions == backend.lose_at_submission) {
    return arenite::error(Code::kDeviceLost);
  }
  ARENITE_TRY(for_mapped_arenas(backend, flush));
  const std::span<const VkCommandBuffer> commands(batch.commands, batch.count);
  const Status status = submit_and_wait(*backend.device, commands, backend.fence);
  backend.in_flight = status.code == Code::kDeviceError;
  ARENITE_TRY(status);
  for (uint32_t i = 0; i < batch.count; ++i) {
    ++backend.counters.stretches_run;
    backend.counters.dispatches_run += batch.stretches[i]->dispatches;
    ARENITE_TRY(read_ticks(*backend.device, backend.queries, *batch.stretches[i], backend.ticks));
  }
  ARENITE_TRY(for_mapped_arenas(backend, invalidate));
  return read_flags(*backend.device, backend.arrays.flags, backend.predicates);
}

// The stretch that begins at step `first`; null when there is none.
const Stretch* find_stretch(const VulkanBackend& backend, uint32_t first) {
  const auto& stretches = backend.arrays.stretches;
  const auto found =
      std::lower_bound(stretches.begin(), stretches.end(), first,
                       [](const Stretch& stretch, uint32_t step) { return stretch.first < step; });
  return found != stretches.end() && found->first == first ? &*found : nullptr;
}

}  // namespace

Status attach_task(VulkanBackend& backend, const Task& task, std::span<std::byte*> arenas) {
  if (backend.attached || backend.device == nullptr || backend.device->handle == VK_NULL_HANDLE) {
    return arenite::error(Code::kNotLoaded);
  }
  if (backend.device->lost) {
    return arenite::error(Code::kDeviceLost);
  }
  backend.counters = {};
  backend.lost = false;
  backend.in_flight = false;
  ARENITE_TRY(lay_out_state(task, backend.state, backend.arrays));
  backend.attached = true;
  const Status status = make_all(backend, task, arenas);
  if (!status.ok()) {
    backend.in_flight = status.code == Code::kDeviceError;
    detach_task(backend);
  }
  return status;
}

Status resize_task(VulkanBackend& backend, const Task& task) {
  if (!backend.attached || backend.in_flight) {
    return arenite::error(backend.attached ? Code::kDeviceError : Code::kNotLoaded);
  }
  if (backend.lost || backend.device->lost) {
    return arenite::error(Code::kDeviceLost);
  }
  backend.recorded = false;
  return remake(backend, task);
}

Status run_stretches(VulkanBackend& backend, std::span<const StepRange> stretches) {
  if (!backend.attached || backend.in_flight) {
    return arenite::error(backend.attached ? Code::kDeviceError : Code::kNotLoaded);
  }
  const uint32_t first = stretches.empty() ? 0 : stretches.front().first;
  if (backend.lost || backend.device->lost) {
    return {Code::kDeviceLost, first, kNoIndex};
  }
  if (!backend.recorded) {
    return {Code::kNotLoaded, first, kNoIndex};
  }
  Batch batch;
  for (const StepRange& stretch : stretches) {
    const Stretch* const found = find_stretch(backend, stretch.first);
    if (found == nullptr || found->last != stretch.last || batch.count == kStretchesAtOnce) {
      return {Code::kBadStep, stretch.first, kNoIndex};
    }
    if (!found->empty) {
      batch.add(*found);
    }
  }
  if (batch.count == 0) {
    return ok_status();
  }
  Status status = submit(backend, batch);
  if (!status.ok()) {
    backend.lost = status.code == Code::kDeviceLost;
    status.step = status.code == Code::kIndexOutOfRange ? status.step : first;
  }
  return status;
}

void detach_task(VulkanBackend& backend) {
  if (!backend.attached) {
    return;
  }
  Device& device = *backend.device;
  if (backend.in_flight) {
    // Work still under way must end before its objects go; a driver that hangs for good says so
    // here.
    static_cast<void>(device.fn.device_wait_idle(device.handle));
  }
  device.fn.destroy_command_pool(device.handle, backend.command_pool, nullptr);
  device.fn.destroy_fence(device.handle, backend.fence, nullptr);
  device.fn.destroy_query_pool(device.handle, backend.queries, nullptr);
  destroy_pools(device, backend.pools);
  destroy_pipelines(device, backend.arrays.pipelines);
  release_constants(device, backend.arrays.constants);
  destroy_buffer(device, backend.arrays.parameters);
  destroy_buffer(device, backend.arrays.flags);
  for (Buffer& buffer : backend.arrays.arenas) {
    destroy_buffer(device, buffer);
  }
  backend.command_pool = VK_NULL_HANDLE;
  backend.fence = VK_NULL_HANDLE;
  backend.queries = VK_NULL_HANDLE;
  backend.arrays = {};
  backend.attached = false;
  backend.recorded = false;
}

std::span<const uint64_t> ticks_of_stretch(const VulkanBackend& backend, uint32_t first) {
  const Stretch* const stretch = find_stretch(backend, first);
  if (stretch == nullptr || stretch->empty || backend.queries == VK_NULL_HANDLE) {
    return {};
  }
  return backend.ticks.subspan(stretch->first_tick, stretch->ticks);
}

Backend make_backend(VulkanBackend& backend) {
  Backend table;
  table.context = &backend;
  table.attach = [](void* context, const BackendTask& task, std::span<std::byte*> arenas) {
    auto& attached = *static_cast<VulkanBackend*>(context);
    attached.predicates = {task.program, task.variant, task.bindings};
    return attach_task(attached, make_task(task), arenas);
  };
  table.run = [](void* context, std::span<const StepRange> stretches) {
    return run_stretches(*static_cast<VulkanBackend*>(context), stretches);
  };
  table.resize = [](void* context) {
    auto& attached = *static_cast<VulkanBackend*>(context);
    const PredicateTask& task = attached.predicates;
    return resize_task(attached, make_task({task.program, task.variant, task.bindings, 0}));
  };
  table.detach = [](void* context) { detach_task(*static_cast<VulkanBackend*>(context)); };
  return table;
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0

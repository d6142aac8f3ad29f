// Joins an instance to the device; with a profiler, reads the device's clock after each stretch.
#include "tools/run/vulkan_task.h"

#include <algorithm>
#include <span>
#include <vector>

#include "tools/run/gpu_clock.h"
#include "tools/run/vulkan_state.h"
#include "vk/backend.h"
#include "vk/timestamps.h"

namespace arenite::tools {

struct VulkanTask::State {
  VulkanHost::State* host = nullptr;
  uint32_t program = 0;
  Records<format::StepRecord> steps;
  std::vector<uint64_t> memory;  // 8-aligned
  vk::VulkanBackend backend;

  Profiler* profiler = nullptr;
  std::vector<uint64_t> ticks;
  GpuClock clock{1, 1};
  Backend inner;

  Status run_timed(std::span<const StepRange> stretches);
  void tell(const StepRange& stretch, std::span<const uint64_t> seen);
};

Status VulkanTask::State::run_timed(std::span<const StepRange> stretches) {
  const uint64_t sent_ns = now_ns();
  const Status status = inner.run(inner.context, stretches);
  const uint64_t back_ns = now_ns();
  profiler->phase("submit and wait", sent_ns, back_ns);
  if (!status.ok()) return status;
  // Some may have nothing to do.
  std::span<const uint64_t> begin, end;
  for (const StepRange& stretch : stretches) {
    const std::span<const uint64_t> seen = vk::ticks_of_stretch(backend, stretch.first);
    if (begin.empty()) begin = seen;
    if (!seen.empty()) end = seen;
  }
  if (begin.empty()) return status;
  clock.fit(sent_ns, back_ns, begin.front(), end.back());
  for (const StepRange& stretch : stretches) {
    tell(stretch, vk::ticks_of_stretch(backend, stretch.first));
  }
  return status;
}

// Tells the profiler of each device step of a stretch that took time.
void VulkanTask::State::tell(const StepRange& stretch, std::span<const uint64_t> seen) {
  if (seen.empty()) return;
  size_t at = 0;
  for (uint32_t step = stretch.first; step < stretch.last; ++step) {
    if (!vk::is_device_step(steps[step])) continue;
    const uint64_t begin_ns = clock.host_ns(seen[at]);
    ++at;
    profiler->device_step({begin_ns, std::max(begin_ns, clock.host_ns(seen[at])), step});
  }
}

VulkanTask::VulkanTask(VulkanHost& host, const Program& program,
                       const format::VariantRecord& variant, Profiler* profiler)
    : state_(std::make_unique<State>()) {
  state_->host = &host.state();
  state_->program = program.header().header_checksum;
  state_->steps = program.steps_of(variant);
  state_->memory.resize(vk::state_bytes(program, variant) / sizeof(uint64_t) + 1);
  state_->backend.device = &state_->host->device;
  state_->backend.state = std::as_writable_bytes(std::span(state_->memory));
  state_->backend.lose_at_submission = state_->host->options.lose_at_submission;
  if (profiler == nullptr) return;
  state_->profiler = profiler;
  state_->ticks.resize(vk::tick_count(program, variant));
  state_->backend.ticks = state_->ticks;
  const vk::DeviceInfo& info = state_->host->device.info;
  state_->clock = GpuClock(info.timestamp_bits, double{info.limits.timestampPeriod});
}

VulkanTask::~VulkanTask() = default;

Backend VulkanTask::backend() {
  state_->host->clock.begin();
  state_->inner = vk::make_backend(state_->backend);
  if (state_->profiler == nullptr) return state_->inner;
  Backend table;
  table.context = state_.get();
  table.attach = [](void* context, const BackendTask& task, std::span<std::byte*> arenas) {
    const Backend& inner = static_cast<State*>(context)->inner;
    return inner.attach(inner.context, task, arenas);
  };
  table.run = [](void* context, std::span<const StepRange> stretches) {
    return static_cast<State*>(context)->run_timed(stretches);
  };
  table.resize = [](void* context) {
    const Backend& inner = static_cast<State*>(context)->inner;
    return inner.resize(inner.context);
  };
  table.detach = [](void* context) {
    const Backend& inner = static_cast<State*>(context)->inner;
    inner.detach(inner.context);
  };
  return table;
}

void VulkanTask::attached() {
  state_->host->used = true;
  state_->host->program = state_->program;
}

uint32_t VulkanTask::dispatches() const { return state_->backend.counters.dispatches_recorded; }

uint32_t VulkanTask::submissions() const { return state_->backend.counters.submissions; }

uint32_t VulkanTask::dispatches_run() const { return state_->backend.counters.dispatches_run; }

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

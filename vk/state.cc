// Computes the size of the backend's arrays and carves them out of the caller's memory.
#include "vk/state.h"

#include <algorithm>
#include <new>

namespace arenite::vk {
namespace {

constexpr size_t kAlignment = 8;
static_assert(alignof(Buffer) <= kAlignment && alignof(Pipeline) <= kAlignment &&
              alignof(Stretch) <= kAlignment && alignof(ConstantUse) <= kAlignment);

// No plan comes near them; they bound the memory and time that hostile counts can ask for.
constexpr uint32_t kMaxPipelines = 1u << 16;
constexpr uint32_t kMaxDispatches = 1u << 20;

// Takes arrays from a piece of memory, or, without one, only adds up their bytes.
class Carver {
 public:
  explicit Carver(std::byte* memory) : memory_(memory) {}

  template <typename T>
  std::span<T> take(size_t count, const T& initial) {
    std::byte* const at = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    if (at == nullptr) {
      return {};
    }
    for (size_t i = 0; i < count; ++i) {
      new (at + i * sizeof(T)) T(initial);
    }
    return {reinterpret_cast<T*>(at), count};
  }
  size_t used() const { return used_; }

 private:
  std::byte* memory_;
  size_t used_ = 0;
};

bool counts_are_possible(const Task& task) {
  uint64_t dispatches = 0;
  for (const format::StepRecord& step : task.steps) {
    if (where(step) == format::Where::kVulkan) {
      dispatches += step.dispatches;
    }
  }
  const format::VariantRecord& variant = *task.variant;
  // Pipelines for several sizes may be kept at a time.
  const uint64_t pipelines_max = dispatches * (task.has_symbols ? kPipelinesADispatchMax : 1);
  return variant.dispatches == dispatches && dispatches <= kMaxDispatches &&
         variant.pipelines <= pipelines_max && variant.pipelines <= kMaxPipelines;
}

size_t carve(const Task& task, std::byte* memory, State& state) {
  size_t stretches = 0;
  for (StepRange r = next_stretch(task.steps, 0); r.first < r.last;
       r = next_stretch(task.steps, r.last)) {
    ++stretches;
  }
  Carver carver(memory);
  state.arenas = carver.take(task.arenas.size(), Buffer{});
  state.constants = carver.take(task.constants.size(), ConstantUse{});
  state.pipelines = carver.take(task.variant->pipelines, Pipeline{});
  state.stretches = carver.take(stretches, Stretch{});
  state.moved = carver.take(task.values.size(), kNoIndex);
  return carver.used();
}

}  // namespace

size_t state_bytes(const Program& program, const format::VariantRecord& variant) {
  const Task task = make_task({&program, &variant, nullptr, 0});
  State state;
  return counts_are_possible(task) ? carve(task, nullptr, state) : 0;
}

Status lay_out_state(const Task& task, std::span<std::byte> memory, State& state) {
  state = {};
  if (!counts_are_possible(task)) {
    return error(Code::kBadPlan);
  }
  if (reinterpret_cast<uintptr_t>(memory.data()) % kAlignment != 0) {
    return error(Code::kBadAlignment);
  }
  if (carve(task, nullptr, state) > memory.size()) {
    return error(Code::kArenaTooSmall);
  }
  carve(task, memory.data(), state);
  return ok_status();
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0

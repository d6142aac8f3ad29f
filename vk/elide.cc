// Proves, transfer by transfer, that the copy may be left out.
#include "vk/elide.h"

#include <algorithm>

namespace arenite::vk {
namespace {

using format::ArenaKind;
using format::ValueRecord;

constexpr uint32_t kTransfersLookedAt = 64;
// Results up to here are written straight to the CPU's memory: on an H200 a copy of 4 KB and the
// barrier before it take 7 us.
constexpr uint32_t kSmallResultBytesMax = 1u << 16;

ArenaKind arena_kind(const Task& task, uint32_t value) {
  return static_cast<ArenaKind>(task.arenas[task.values[value].place].kind);
}

// Whether some other value ever owns a byte of `value`'s.
bool shares_bytes(const Task& task, uint32_t value) {
  const ValueRecord& mine = task.values[value];
  for (uint32_t i = 0; i < task.values.size(); ++i) {
    const ValueRecord& other = task.values[i];
    if (i != value && format::owns_bytes(other) && other.place == mine.place &&
        other.offset < uint64_t{mine.offset} + mine.bytes &&
        mine.offset < uint64_t{other.offset} + other.bytes) {
      return true;
    }
  }
  return false;
}

// The transfer `at` between `device`, a value of a device arena, and `mapped`, the value that is to
// stand in for it.
struct Pair {
  uint32_t at, device, mapped;
  bool upload;  // mapped is the source
};

bool is_read(const Task& task, uint32_t value, uint32_t transfer) {
  for (uint32_t i = 0; i < task.steps.size(); ++i) {
    const Step step(*task.bindings, task.steps[i], i);
    if (i == transfer || step.where() == format::Where::kView) continue;
    for (uint32_t k = 0; k < step.input_count(); ++k) {
      const uint32_t operand = step.input_value(k);
      if (!format::is_constant(operand) && root_of(task, operand) == value) return true;
    }
  }
  return false;
}

// Returns whether the value is small, and nothing but the transfer reads it.
bool is_small_result(const Task& task, uint32_t value, uint32_t transfer) {
  return task.values[value].bytes <= kSmallResultBytesMax && !is_read(task, value, transfer);
}

// Whether step `i` writes what the pair needs left alone, or is a CPU step that uses `device`.
bool is_in_the_way(const Task& task, const Pair& pair, uint32_t i) {
  const Step step(*task.bindings, task.steps[i], i);
  if (i == pair.at || step.where() == format::Where::kView) {
    return false;
  }
  const uint32_t written = step.output_count() + (step.has_scratch() ? 1 : 0);
  for (uint32_t k = 0; k < written; ++k) {
    const uint32_t root = root_of(task, step.output_value(k));
    if (root == pair.mapped && (i > pair.at || !pair.upload)) {
      return true;
    }
    if (root == pair.device && (i > pair.at || pair.upload)) {
      return true;
    }
    if (root == pair.device && step.where() == format::Where::kCpu) {
      return true;
    }
  }
  for (uint32_t k = 0; k < step.input_count(); ++k) {
    const uint32_t operand = step.input_value(k);
    if (!format::is_constant(operand) && root_of(task, operand) == pair.device &&
        step.where() == format::Where::kCpu) {
      return true;
    }
  }
  return false;
}

bool can_be_left_out(const Task& task, const State& state, const Pair& pair) {
  const ValueRecord& device = task.values[pair.device];
  const ValueRecord& mapped = task.values[pair.mapped];
  if (!format::owns_bytes(device) || !format::owns_bytes(mapped) || device.bytes != mapped.bytes ||
      device.offset % kBufferAlignment != mapped.offset % kBufferAlignment ||
      state.moved[pair.device] != kNoIndex || shares_bytes(task, pair.mapped)) {
    return false;
  }
  for (uint32_t i = 0; i < task.steps.size(); ++i) {
    if (is_in_the_way(task, pair, i)) {
      return false;
    }
  }
  return true;
}

}  // namespace

void elide_transfers(const Device& device, const Task& task, State& state) {
  uint32_t looked_at = 0;
  for (uint32_t i = 0; i < task.steps.size() && looked_at < kTransfersLookedAt; ++i) {
    const Step step(*task.bindings, task.steps[i], i);
    if (step.where() != format::Where::kTransfer || step.input_count() != 1 ||
        step.output_count() != 1 || !step.has_input(0)) {
      continue;
    }
    ++looked_at;
    const uint32_t from = step.input_value(0);
    const uint32_t to = step.output_value(0);
    if (format::is_constant(from)) {
      continue;
    }
    const ArenaKind from_kind = arena_kind(task, from);
    const ArenaKind to_kind = arena_kind(task, to);
    const bool in_place =
        device.unified || (device.window && state.arenas[task.values[from].place].own);
    const bool upload =
        in_place && from_kind == ArenaKind::kUpload && to_kind == ArenaKind::kDevice;
    const bool readback = from_kind == ArenaKind::kDevice && to_kind == ArenaKind::kReadback &&
                          (device.unified || (device.discrete && is_small_result(task, from, i)));
    const Pair pair{i, upload ? to : from, upload ? from : to, upload};
    if ((upload || readback) && can_be_left_out(task, state, pair)) {
      state.moved[pair.device] = pair.mapped;
    }
  }
}

bool is_elided(const State& state, const Step& transfer) {
  const uint32_t from = transfer.input_value(0);
  const uint32_t to = transfer.output_value(0);
  if (format::is_constant(from)) {
    return false;
  }
  return state.moved[from] == to || state.moved[to] == from;
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0

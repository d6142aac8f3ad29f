// Keeps the ranges read and written since the last barrier, and compares each step with them.
#include "planner/steps/variant/barriers.h"

#include <algorithm>

namespace arenite::planner {
namespace {

struct Range {
  uint32_t arena;
  uint64_t begin, end;  // bytes
};

bool meet(const std::vector<Range>& a, const std::vector<Range>& b) {
  for (const Range& x : a) {
    for (const Range& y : b) {
      if (x.arena == y.arena && x.begin < y.end && y.begin < x.end) return true;
    }
  }
  return false;
}

struct Touched {
  std::vector<Range> reads, writes;

  bool conflicts_with(const Touched& before) const {
    return meet(reads, before.writes) || meet(writes, before.writes) || meet(writes, before.reads);
  }
  void add(const Touched& more) {
    reads.insert(reads.end(), more.reads.begin(), more.reads.end());
    writes.insert(writes.end(), more.writes.begin(), more.writes.end());
  }
};

void add_ranges(const Schedule& plan, const std::vector<std::optional<Operand>>& operands,
                bool any_size, std::vector<Range>& ranges) {
  for (const std::optional<Operand>& operand : operands) {
    if (!operand.has_value() || operand->constant) continue;
    const Storage& storage = plan.storages[operand->index];
    if (any_size) {
      ranges.push_back({storage.arena, storage.offset, storage.offset + storage.bytes});
      continue;
    }
    const uint64_t element = element_bytes(operand->dtype);
    const uint64_t begin = storage.offset + operand->form.offset * element;
    const uint64_t bytes = span_elements(operand->form) * element;
    // A buffer is bound from an aligned offset on; storages start at one.
    const uint64_t bound = begin - begin % kDeviceAlignment;
    if (bytes != 0) ranges.push_back({storage.arena, bound, begin + bytes});
  }
}

}  // namespace

void set_barriers(Schedule& plan, bool any_size) {
  Touched since;
  for (ScheduledStep& step : plan.steps) {
    if (step.where == format::Where::kView) continue;
    if (step.where == format::Where::kCpu) {
      since = {};
      continue;
    }
    if (step.begins_stretch) since = {};
    Touched now;
    add_ranges(plan, step.inputs, any_size, now.reads);
    add_ranges(plan, step.outputs, any_size, now.writes);
    if (step.scratch.has_value()) {
      const Storage& scratch = plan.storages[*step.scratch];
      now.writes.push_back({scratch.arena, scratch.offset, scratch.offset + scratch.bytes});
    }
    step.barrier_before = now.conflicts_with(since);
    if (step.barrier_before) since = {};
    since.add(now);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

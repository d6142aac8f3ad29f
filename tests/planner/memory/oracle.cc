// Puts each buffer at every offset in turn; gives up where the cost is no better than the best.
#include "tests/planner/memory/oracle.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace arenite::memory {
namespace {

class Oracle {
 public:
  enum class Goal { kHeight, kSlowTraffic };

  Oracle(const Problem& problem, Goal goal) : problem_(problem), goal_(goal) {
    for (const Buffer& buffer : problem.buffers) {
      steps_ = std::max(steps_, std::size_t{buffer.lifetime.last} + 1);
      bytes_ += buffer.size_bytes + buffer.alignment;
      if (buffer.relative) bytes_ += buffer.relative->offset_bytes;
      if (buffer.fixed) bytes_ = std::max(bytes_, buffer.fixed->offset + buffer.size_bytes);
    }
    for (const Memory& memory : problem.memories) bytes_ += memory.alignment;
    ends_.assign(problem.memories.size(), 0);
    at_.resize(problem.buffers.size());
  }

  std::optional<uint64_t> run() {
    place(0, 0);
    return best_;
  }

 private:
  // Puts buffer i, and all after it, everywhere.
  void place(uint32_t i, uint64_t traffic) {
    const uint64_t height = std::accumulate(ends_.begin(), ends_.end(), uint64_t{0});
    const uint64_t cost = goal_ == Goal::kHeight ? height : traffic;
    if (best_ && cost >= *best_) return;
    if (i == problem_.buffers.size()) {
      best_ = cost;
      return;
    }
    const Buffer& buffer = problem_.buffers[i];
    for (uint32_t m = 0; m < problem_.memories.size(); ++m) {
      const std::vector<uint32_t>& allowed = buffer.allowed;
      if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), m) == allowed.end()) {
        continue;
      }
      const uint64_t room = std::min(problem_.memories[m].size_bytes, bytes_);
      for (uint64_t at = 0; at + buffer.size_bytes <= room; ++at) {
        if (!may_lie(i, {m, at})) continue;
        at_[i] = {m, at};
        const uint64_t end = ends_[m];
        ends_[m] = std::max(end, at + buffer.size_bytes);
        place(i + 1, traffic + (m == 0 ? 0 : buffer.size_bytes * (buffer.reads + buffer.writes)));
        ends_[m] = end;
      }
    }
  }

  bool may_lie(uint32_t i, const Placement& at) {
    const Buffer& buffer = problem_.buffers[i];
    if (at.offset % buffer.alignment != 0) return false;
    if (buffer.relative) {
      const Placement& base = at_[buffer.relative->base];
      if (base.memory != at.memory || base.offset + buffer.relative->offset_bytes != at.offset) {
        return false;
      }
    } else if (at.offset % problem_.memories[at.memory].alignment != 0) {
      return false;
    }
    if (buffer.fixed && (buffer.fixed->memory != at.memory || buffer.fixed->offset != at.offset)) {
      return false;
    }
    at_[i] = at;
    for (uint32_t other = 0; other < i; ++other) {
      if (at_[other].memory == at.memory && root_of(other) != root_of(i) && share(i, other) &&
          !permitted(i, other) && !permitted(other, i)) {
        return false;
      }
    }
    return true;
  }

  uint32_t root_of(uint32_t i) const {
    while (problem_.buffers[i].relative) i = problem_.buffers[i].relative->base;
    return i;
  }

  // Whether some byte is in use by both at some step.
  bool share(uint32_t a, uint32_t b) const {
    for (uint32_t step = 0; step < steps_; ++step) {
      const ByteRange x = in_use(a, step);
      const ByteRange y = in_use(b, step);
      for (uint64_t byte = x.begin; byte < x.end; ++byte) {
        if (y.begin <= byte && byte < y.end) return true;
      }
    }
    return false;
  }

  // Bytes of the memory.
  ByteRange in_use(uint32_t i, uint32_t step) const {
    const Buffer& buffer = problem_.buffers[i];
    if (step < buffer.lifetime.first || buffer.lifetime.last < step) return {};
    ByteRange bytes{0, buffer.size_bytes};
    for (const Gap& gap : buffer.gaps) {
      if (gap.steps.first <= step && step <= gap.steps.last) {
        if (!gap.in_use) return {};
        bytes = *gap.in_use;
      }
    }
    return {at_[i].offset + bytes.begin, at_[i].offset + bytes.end};
  }

  bool permitted(uint32_t input, uint32_t output) const {
    const uint32_t step = problem_.buffers[output].lifetime.first;
    if (problem_.buffers[input].lifetime.last != step) return false;
    const auto distance =
        static_cast<int64_t>(at_[input].offset) - static_cast<int64_t>(at_[output].offset);
    return std::any_of(problem_.overlaps.begin(), problem_.overlaps.end(),
                       [&](const Overlap& overlap) {
                         return overlap.input == input && overlap.output == output &&
                                distance >= overlap.lead_bytes;
                       });
  }

  const Problem& problem_;
  Goal goal_;
  std::size_t steps_ = 1;
  uint64_t bytes_ = 1;  // more than any plan worth trying needs
  std::vector<Placement> at_;
  std::vector<uint64_t> ends_;
  std::optional<uint64_t> best_;
};

}  // namespace

std::optional<uint64_t> least_height(const Problem& problem) {
  return Oracle(problem, Oracle::Goal::kHeight).run();
}

std::optional<uint64_t> least_slow_traffic(const Problem& problem) {
  return Oracle(problem, Oracle::Goal::kSlowTraffic).run();
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

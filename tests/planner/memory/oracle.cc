// What the best plan of a tiny problem is, found by trying all plans.
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
      if (buffer.fixed) bytes_ = std::max(bytes_, buffer.fixed->offset + buffer.size_bytes);
    }
    for (const Memory& memory : problem.memories) bytes_ += memory.alignment;
    taken_.assign(problem.memories.size() * steps_ * bytes_, false);
    ends_.assign(problem.memories.size(), 0);
  }

  std::optional<uint64_t> run() {
    place(0, 0);
    return best_;
  }

 private:
  // Puts buffer i, and all after it, everywhere.
  void place(std::size_t i, uint64_t traffic) {
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
        if (at % buffer.alignment != 0 || at % problem_.memories[m].alignment != 0) continue;
        if (buffer.fixed && (buffer.fixed->memory != m || buffer.fixed->offset != at)) continue;
        if (!take(buffer, m, at)) continue;
        const uint64_t end = ends_[m];
        ends_[m] = std::max(end, at + buffer.size_bytes);
        place(i + 1, traffic + (m == 0 ? 0 : buffer.size_bytes * (buffer.reads + buffer.writes)));
        ends_[m] = end;
        set(buffer, m, at, false);
      }
    }
  }

  bool take(const Buffer& buffer, uint32_t m, uint64_t at) {
    bool free = true;
    for_bytes(buffer, m, at, [&](std::size_t cell) { free = free && !taken_[cell]; });
    if (free) set(buffer, m, at, true);
    return free;
  }

  void set(const Buffer& buffer, uint32_t m, uint64_t at, bool taken) {
    for_bytes(buffer, m, at, [&](std::size_t cell) { taken_[cell] = taken; });
  }

  template <typename F>
  void for_bytes(const Buffer& buffer, uint32_t m, uint64_t at, F visit) const {
    for (uint32_t step = buffer.lifetime.first; step <= buffer.lifetime.last; ++step) {
      ByteRange bytes{0, buffer.size_bytes};
      for (const Gap& gap : buffer.gaps) {
        if (gap.steps.first <= step && step <= gap.steps.last) {
          bytes = gap.in_use.value_or(ByteRange{});
        }
      }
      for (uint64_t b = bytes.begin; b < bytes.end; ++b) {
        visit((std::size_t{m} * steps_ + step) * bytes_ + at + b);
      }
    }
  }

  const Problem& problem_;
  Goal goal_;
  std::size_t steps_ = 1;
  uint64_t bytes_ = 1;  // more than any plan worth trying needs
  std::vector<bool> taken_;
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

// The naive algorithm: every item after the one before it, nothing reused, as the figure to beat.
#include <algorithm>

#include "planner/memory/placers.h"

namespace arenite::memory {
namespace {

struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Bump offsets of one memory, stepping over what is fixed there at any time.
class Bump {
 public:
  void keep_out(Range range) { fixed_.push_back(range); }

  void seal() {
    std::sort(fixed_.begin(), fixed_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
  }

  uint64_t next(uint64_t alignment, uint64_t size_bytes) {
    while (passed_ < fixed_.size() && fixed_[passed_].end <= cursor_) ++passed_;
    uint64_t offset = align_up(cursor_, alignment);
    for (std::size_t k = passed_; k < fixed_.size(); ++k) {
      if (fixed_[k].begin >= offset + size_bytes) break;
      if (offset < fixed_[k].end) offset = align_up(fixed_[k].end, alignment);
    }
    return offset;
  }

  void advance_to(uint64_t end) { cursor_ = end; }

 private:
  std::vector<Range> fixed_;
  uint64_t cursor_ = 0;
  std::size_t passed_ = 0;  // so many of fixed_ lie before the cursor
};

}  // namespace

ItemPlan place_naive(const Problem& problem, std::span<const Item> items) {
  ItemPlan plan{std::vector<Placement>(items.size()), std::nullopt};
  std::vector<Bump> bumps(problem.memories.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].fixed) continue;
    plan.placements[i] = *items[i].fixed;
    const uint64_t begin = items[i].fixed->offset;
    bumps[items[i].fixed->memory].keep_out({begin, begin + items[i].size_bytes});
  }
  for (Bump& bump : bumps) bump.seal();

  for (uint32_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    if (item.fixed) continue;
    std::optional<Spot> best;
    for (const uint32_t memory : item.allowed) {
      const uint64_t offset =
          bumps[memory].next(alignment_in(problem, item, memory), item.size_bytes);
      const Spot spot = spot_at(problem, memory, offset, item.size_bytes);
      if (!best || spot.overshoot_bytes < best->overshoot_bytes) best = spot;
      if (best->overshoot_bytes == 0) break;
    }
    if (best->overshoot_bytes != 0 && !plan.first_unplaced) plan.first_unplaced = i;
    plan.placements[i] = best->placement;
    bumps[best->placement.memory].advance_to(best->placement.offset + item.size_bytes);
  }
  return plan;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

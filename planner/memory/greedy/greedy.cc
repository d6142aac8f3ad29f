// Largest item first, into the first memory with a hole for it; naively, one above the other.
#include "planner/memory/greedy/greedy.h"

#include <algorithm>
#include <numeric>

#include "planner/memory/greedy/linear_scan.h"
#include "planner/memory/greedy/neighbors.h"

namespace arenite::memory {

namespace {

class LargestFirst {
 public:
  LargestFirst(const CheckedProblem& problem, HoleRule hole_rule, const Watch* watch)
      : problem_(problem),
        watch_(watch),
        items_(problem.items()),
        hole_rule_(hole_rule),
        plan_{std::vector<Placement>(items_.size()), std::nullopt},
        by_time_(lifetimes_of(items_)),
        by_offset_(problem.memories().size()) {}

  // Nothing where it was ended.
  std::optional<ItemPlan> run(uint64_t work_max) {
    for (uint32_t i = 0; i < items_.size(); ++i) {
      if (items_[i].fixed) settle(i, *items_[i].fixed);
    }
    constexpr std::size_t kBetweenLooks = 16;
    for (const uint32_t i : largest_first()) {
      if (items_[i].fixed) continue;
      if (work_ > work_max) return std::nullopt;
      if (settled_ % kBetweenLooks == 0 && stopped(watch_)) return std::nullopt;
      place(i);
    }
    return std::move(plan_);
  }

 private:
  // Among equals the one born first, then the lower index: the order of the tensors in a graph,
  // whatever the order of the rows in a file.
  std::vector<uint32_t> largest_first() const {
    std::vector<uint32_t> order(items_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      if (items_[a].size_bytes != items_[b].size_bytes) {
        return items_[a].size_bytes > items_[b].size_bytes;
      }
      return items_[a].lifetime.first < items_[b].lifetime.first;
    });
    return order;
  }

  void settle(uint32_t i, Placement placement) {
    const Item& item = items_[i];
    plan_.placements[i] = placement;
    if (item.size_bytes == 0) return;
    by_time_.switch_on(i);
    by_offset_[placement.memory].insert(item.lifetime,
                                        {placement.offset, placement.offset + item.size_bytes});
    ++settled_;
  }

  // Finds the few neighbors in time, or, where all items are solid, notes that there are many.
  // Collecting and sorting costs about 60 ns a neighbor, scanning in offset order about 1 ns a
  // settled item: measured on 62,000 buffers with 2,900 neighbors each.
  void find_neighbors(Lifetime lifetime) {
    constexpr std::size_t kScanGain = 64;
    const std::size_t few = problem_.solid() ? settled_ / kScanGain + kScanGain : items_.size();
    few_ = by_time_.collect(lifetime, few, neighbors_);
    work_ += few_ ? kScanGain * neighbors_.size() : settled_;
  }

  // The obstacles of an item in one memory, in order of `begin`.
  std::span<const Obstacle> obstacles_in(uint32_t memory, const Item& item) {
    obstacles_.clear();
    if (!few_) {
      by_offset_[memory].collect(item.lifetime, obstacles_);
      return obstacles_;
    }
    for (const uint32_t other : neighbors_) {
      const Placement& placement = plan_.placements[other];
      if (placement.memory == memory) add_obstacle(item, items_[other], placement.offset);
    }
    std::sort(obstacles_.begin(), obstacles_.end(),
              [](const Obstacle& a, const Obstacle& b) { return a.begin < b.begin; });
    return obstacles_;
  }

  void add_obstacle(const Item& item, const Item& other, uint64_t offset) {
    if (item.solid && other.solid) {
      obstacles_.push_back({offset, offset + other.size_bytes});
    } else if (const Forbidden range = forbidden_starts(item, other); range.any()) {
      obstacles_.push_back(obstacle_of(range, offset, item.size_bytes));
    }
  }

  void place(uint32_t i) {
    const Item& item = items_[i];
    find_neighbors(item.lifetime);
    const Spot spot = first_spot(problem_, item, [&](uint32_t memory) {
      return hole_rule_(obstacles_in(memory, item), item.size_bytes,
                        problem_.alignment_in(item, memory));
    });
    if (spot.overshoot_bytes != 0 && !plan_.first_unplaced) plan_.first_unplaced = i;
    settle(i, spot.placement);
  }

  const CheckedProblem& problem_;
  const Watch* watch_;
  std::span<const Item> items_;
  HoleRule hole_rule_;
  ItemPlan plan_;
  std::size_t settled_ = 0;
  TimeIndex by_time_;                   // all settled items
  std::vector<OffsetOrder> by_offset_;  // the same, by memory
  bool few_ = false;                    // neighbors_ is complete
  uint64_t work_ = 0;                   // items looked at, about one a nanosecond
  std::vector<uint32_t> neighbors_;
  std::vector<Obstacle> obstacles_;
};

// Bump offsets of one memory, stepping over what is fixed there at any time.
class Bump {
 public:
  void keep_out(ByteRange range) { fixed_.push_back(range); }

  void seal() {
    std::sort(fixed_.begin(), fixed_.end(),
              [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
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
  std::vector<ByteRange> fixed_;
  uint64_t cursor_ = 0;
  std::size_t passed_ = 0;  // so many of fixed_ lie before the cursor
};

}  // namespace

Spot spot_at(const CheckedProblem& problem, uint32_t memory, uint64_t offset, uint64_t size_bytes) {
  const Memory& room = problem.memories()[memory];
  const uint64_t end = align_up(offset + size_bytes, room.alignment);
  return {{memory, offset}, end > room.size_bytes ? end - room.size_bytes : 0};
}

ItemPlan place_greedy_by_size(const CheckedProblem& problem, const Watch* watch) {
  std::optional<ItemPlan> plan = try_greedy_by_size(problem, watch, UINT64_MAX);
  return plan ? std::move(*plan) : linear_scan(problem);
}

ItemPlan place_greedy_first_fit(const CheckedProblem& problem, const Watch* watch) {
  std::optional<ItemPlan> plan = LargestFirst(problem, lowest_hole, watch).run(UINT64_MAX);
  return plan ? std::move(*plan) : linear_scan(problem);
}

std::optional<ItemPlan> try_greedy_by_size(const CheckedProblem& problem, const Watch* watch,
                                           uint64_t work_max) {
  return LargestFirst(problem, smallest_hole, watch).run(work_max);
}

ItemPlan place_naive(const CheckedProblem& problem) {
  const std::vector<Item>& items = problem.items();
  ItemPlan plan{std::vector<Placement>(items.size()), std::nullopt};
  std::vector<Bump> bumps(problem.memories().size());
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
    const Spot spot = first_spot(problem, item, [&](uint32_t memory) {
      return bumps[memory].next(problem.alignment_in(item, memory), item.size_bytes);
    });
    if (spot.overshoot_bytes != 0 && !plan.first_unplaced) plan.first_unplaced = i;
    plan.placements[i] = spot.placement;
    bumps[spot.placement.memory].advance_to(spot.placement.offset + item.size_bytes);
  }
  return plan;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Greedy by size, best gap (arXiv 2001.03288) over a hierarchy of memories, fastest first.
#include <algorithm>
#include <numeric>

#include "planner/memory/placers.h"
#include "planner/memory/time_index.h"

namespace arenite::memory {
namespace {

// An item already in a memory and alive together with the one being placed.
struct Obstacle {
  uint64_t offset = 0;
  uint64_t size_bytes = 0;
};

// The offset for an item among the obstacles of one memory: the smallest gap that holds it (the
// lowest one where several are as small), else the running end. Obstacles must be in offset order.
//
// The running end is advanced by obstacles only, never by items that are dead by then: the paper's
// listing advances it by every tensor, and then nothing is ever reused.
uint64_t best_gap(std::span<const Obstacle> obstacles, uint64_t size_bytes, uint64_t alignment) {
  uint64_t running_end = 0;
  uint64_t smallest_gap = UINT64_MAX;
  uint64_t best = 0;
  for (const Obstacle& obstacle : obstacles) {
    if (obstacle.offset >= running_end) {
      const uint64_t gap = obstacle.offset - running_end;
      if (gap >= size_bytes && gap < smallest_gap) {
        smallest_gap = gap;
        best = running_end;
      }
    }
    running_end = std::max(running_end, align_up(obstacle.offset + obstacle.size_bytes, alignment));
  }
  return smallest_gap == UINT64_MAX ? running_end : best;
}

class Greedy {
 public:
  Greedy(const Problem& problem, std::span<const Item> items)
      : problem_(problem),
        items_(items),
        index_(lifetimes(items)),
        plan_{std::vector<Placement>(items.size()), std::nullopt},
        obstacles_(problem.memories.size()) {}

  ItemPlan run() {
    for (uint32_t i = 0; i < items_.size(); ++i) {
      if (items_[i].fixed) settle(i, *items_[i].fixed);
    }
    for (const uint32_t i : largest_first()) {
      if (!items_[i].fixed) place(i);
    }
    return std::move(plan_);
  }

 private:
  static std::vector<Lifetime> lifetimes(std::span<const Item> items) {
    std::vector<Lifetime> all;
    all.reserve(items.size());
    for (const Item& item : items) all.push_back(item.lifetime);
    return all;
  }

  std::vector<uint32_t> largest_first() const {
    std::vector<uint32_t> order(items_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return items_[a].size_bytes > items_[b].size_bytes;
    });
    return order;
  }

  void settle(uint32_t i, Placement placement) {
    plan_.placements[i] = placement;
    if (items_[i].size_bytes > 0) index_.switch_on(i);
  }

  void find_obstacles(Lifetime lifetime) {
    alive_.clear();
    index_.collect(lifetime, alive_);
    for (std::vector<Obstacle>& in_memory : obstacles_) in_memory.clear();
    for (const uint32_t other : alive_) {
      const Placement& placement = plan_.placements[other];
      obstacles_[placement.memory].push_back({placement.offset, items_[other].size_bytes});
    }
  }

  void place(uint32_t i) {
    const Item& item = items_[i];
    find_obstacles(item.lifetime);
    std::optional<Spot> best;
    for (const uint32_t memory : item.allowed) {
      std::vector<Obstacle>& obstacles = obstacles_[memory];
      std::sort(obstacles.begin(), obstacles.end(),
                [](const Obstacle& a, const Obstacle& b) { return a.offset < b.offset; });
      const uint64_t offset =
          best_gap(obstacles, item.size_bytes, alignment_in(problem_, item, memory));
      const Spot spot = spot_at(problem_, memory, offset, item.size_bytes);
      if (!best || spot.overshoot_bytes < best->overshoot_bytes) best = spot;
      if (best->overshoot_bytes == 0) break;
    }
    if (best->overshoot_bytes != 0 && !plan_.first_unplaced) plan_.first_unplaced = i;
    settle(i, best->placement);
  }

  const Problem& problem_;
  std::span<const Item> items_;
  TimeIndex index_;
  ItemPlan plan_;
  std::vector<uint32_t> alive_;
  std::vector<std::vector<Obstacle>> obstacles_;  // by memory; kept to reuse their storage
};

}  // namespace

ItemPlan place_greedy_by_size(const Problem& problem, std::span<const Item> items) {
  return Greedy(problem, items).run();
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

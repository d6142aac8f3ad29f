// The greedy algorithms over a hierarchy of memories, fastest first: no reuse, and largest first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/assert.h"
#include "planner/memory/problem/budget.h"
#include "planner/memory/problem/check.h"

namespace arenite::memory {

// The result for the items of a problem, one placement an item. An item that fits no memory is put
// past the end of the memory that it overshoots least, and planning goes on, so that the error can
// tell all missing bytes.
struct ItemPlan {
  std::vector<Placement> placements;
  std::optional<uint32_t> first_unplaced;   // item for which no memory had room
  std::vector<uint64_t> lower_bounds = {};  // by memory, as in a Solution
};

// A spot for an item in one memory, and by how many bytes it passes that memory's end (0: fits).
struct Spot {
  Placement placement;
  uint64_t overshoot_bytes = 0;
};

// The spot of an item at `offset`, which must be aligned. An item fits when its end, aligned as
// the memory is, does not pass the memory's end.
Spot spot_at(const CheckedProblem& problem, uint32_t memory, uint64_t offset, uint64_t size_bytes);

// The spot in the first of an item's memories that has room, else where it overshoots least.
// `offset_in(memory)` is where the item would lie there.
template <typename OffsetIn>
Spot first_spot(const CheckedProblem& problem, const Item& item, OffsetIn offset_in) {
  ARENITE_ASSERT(!item.allowed.empty());
  std::optional<Spot> best;
  for (const uint32_t memory : item.allowed) {
    const Spot spot = spot_at(problem, memory, offset_in(memory), item.size_bytes);
    if (!best || spot.overshoot_bytes < best->overshoot_bytes) best = spot;
    if (best->overshoot_bytes == 0) break;
  }
  return *best;
}

// Every item after the one before it, nothing reused: the figure to beat.
ItemPlan place_naive(const CheckedProblem& problem);

// Largest first, each in the first of its memories in which a rule finds a hole for it; fixed items
// stay where they are. Among items of one size the one born first goes first, then the one with the
// lower index. If `watch`, which may be null, ends it, a linear scan places all items instead.
//
//   bytes   +-------+
//           |   2   +---+     1 lies at the ground, 2 on it; 3 finds the hole beside 2:
//           +---+---+ 3 |     greedy_first_fit takes the lowest hole that holds an item (position-
//           |   1   +---+     based greedy), greedy_by_size the smallest (arXiv 2001.03288).
//           +-------+  time
ItemPlan place_greedy_first_fit(const CheckedProblem& problem, const Watch* watch);
ItemPlan place_greedy_by_size(const CheckedProblem& problem, const Watch* watch);

// The same; nothing where `watch` ends it, or more than `work_max` items were looked at.
std::optional<ItemPlan> try_greedy_by_size(const CheckedProblem& problem, const Watch* watch,
                                           uint64_t work_max);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

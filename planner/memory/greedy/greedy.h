// The greedy algorithms over a hierarchy of memories, fastest first: no reuse, and largest first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/memory/items.h"
#include "planner/memory/problem.h"
#include "planner/memory/uses.h"
#include "planner/memory/watch.h"

namespace arenite::memory {

// Where the items went. When an item fits no memory it is put past the end of the memory that it
// overshoots least, and planning goes on, so that the error can tell the bytes missing in all.
struct ItemPlan {
  std::vector<Placement> placements;       // one an item
  std::optional<uint32_t> first_unplaced;  // item for which no memory had room
  uint64_t lower_bound = 0;                // no plan has less height, as far as a search proved
};

// A spot for an item in one memory, and by how many bytes it passes that memory's end (0: fits).
struct Spot {
  Placement placement;
  uint64_t overshoot_bytes = 0;
};

// The spot of an item at `offset`, which must be aligned. An item fits when its end, aligned as
// the memory is, does not pass the memory's end.
Spot spot_at(const Problem& problem, uint32_t memory, uint64_t offset, uint64_t size_bytes);

// Multiple that the offset of `item` must be of in `memory`.
uint64_t alignment_in(const Problem& problem, const Item& item, uint32_t memory);

ItemPlan place_naive(const Problem& problem, std::span<const Item> items);
// `watch` may be null; see place_largest_first.
ItemPlan place_greedy_first_fit(const Problem& problem, std::span<const Item> items,
                                const Watch* watch);
ItemPlan place_greedy_by_size(const Problem& problem, std::span<const Item> items,
                              const Watch* watch);

// Explains a plan that overshot: see DoesNotFit. `solution` holds every buffer, overflow included.
DoesNotFit explain_overflow(const Problem& problem, const Solution& solution,
                            uint32_t first_unplaced_buffer);

// Fixed items stay where they are. Of items of one size the one born first goes first, then the
// one with the lower index.
// Where `watch`, which may be null, ends it, all is placed by linear scan instead.
ItemPlan place_largest_first(const Problem& problem, std::span<const Item> items,
                             HoleRule hole_rule, const Watch* watch);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

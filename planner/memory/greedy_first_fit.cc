// Position-based greedy over a hierarchy of memories: largest first, each at the lowest offset that
// is free, in the first memory that has one.
#include "planner/memory/largest_first.h"

namespace arenite::memory {

ItemPlan place_greedy_first_fit(const Problem& problem, std::span<const Item> items,
                                const Watch* watch) {
  return place_largest_first(problem, items, lowest_hole, watch);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

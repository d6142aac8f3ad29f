// Greedy by size, best gap (arXiv 2001.03288) over a hierarchy of memories, fastest first.
#include "planner/memory/largest_first.h"

namespace arenite::memory {

ItemPlan place_greedy_by_size(const Problem& problem, std::span<const Item> items,
                              const Watch* watch) {
  return place_largest_first(problem, items, smallest_hole, watch);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

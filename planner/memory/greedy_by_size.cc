// Greedy by size, best gap (arXiv 2001.03288) over a hierarchy of memories, fastest first.
#include <algorithm>

#include "planner/memory/largest_first.h"

namespace arenite::memory {
namespace {

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

}  // namespace

ItemPlan place_greedy_by_size(const Problem& problem, std::span<const Item> items) {
  return place_largest_first(problem, items, best_gap);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

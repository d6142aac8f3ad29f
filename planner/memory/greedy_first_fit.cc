// Position-based greedy over a hierarchy of memories: largest first, each at the lowest offset that
// is free, in the first memory that has one.
#include "planner/memory/largest_first.h"

namespace arenite::memory {
namespace {

// The rule as it is usually told: start at offset 0, and while something is in the way, move to its
// aligned end. Whatever overlaps [offset, offset + size) rules out every offset up to its end, so
// nothing free is skipped, and one pass in offset order finds what going back to the start after
// each move would.
uint64_t first_gap(std::span<const Obstacle> obstacles, uint64_t size_bytes, uint64_t alignment) {
  uint64_t offset = 0;
  for (const Obstacle& obstacle : obstacles) {
    if (size_bytes == 0 || offset + size_bytes <= obstacle.offset) break;
    const uint64_t end = obstacle.offset + obstacle.size_bytes;
    if (offset < end) offset = align_up(end, alignment);
  }
  return offset;
}

}  // namespace

ItemPlan place_greedy_first_fit(const Problem& problem, std::span<const Item> items) {
  return place_largest_first(problem, items, first_gap);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

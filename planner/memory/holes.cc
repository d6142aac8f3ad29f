// Finds room for an item between what is in its way in one memory.
#include "planner/memory/holes.h"

#include <algorithm>

#include "planner/memory/items.h"

namespace arenite::memory {

Obstacle obstacle_of(const Forbidden& range, uint64_t offset, uint64_t size_bytes) {
  const auto at = static_cast<int64_t>(offset);
  const int64_t begin = at + range.low + static_cast<int64_t>(size_bytes);
  return {static_cast<uint64_t>(begin),
          static_cast<uint64_t>(std::max<int64_t>(at + range.high, 0))};
}

// The rule as it is usually told: start at offset 0, and while something is in the way, move to its
// aligned end. Whatever meets [offset, offset + size) rules out every offset up to its end, so
// nothing free is skipped, and one pass in offset order finds what going back to the start after
// each move would.
uint64_t lowest_hole(std::span<const Obstacle> obstacles, uint64_t size_bytes, uint64_t alignment) {
  uint64_t offset = 0;
  for (const Obstacle& obstacle : obstacles) {
    if (size_bytes == 0 || offset + size_bytes <= obstacle.begin) break;
    if (offset < obstacle.end) offset = align_up(obstacle.end, alignment);
  }
  return offset;
}

// The running end is advanced by obstacles only, never by items that are dead by then: the listing
// of arXiv 2001.03288 advances it by every tensor, and then nothing is ever reused.
uint64_t smallest_hole(std::span<const Obstacle> obstacles, uint64_t size_bytes,
                       uint64_t alignment) {
  uint64_t running_end = 0;
  uint64_t smallest = UINT64_MAX;
  uint64_t best = 0;
  for (const Obstacle& obstacle : obstacles) {
    if (obstacle.begin >= running_end) {
      const uint64_t hole = obstacle.begin - running_end;
      if (hole >= size_bytes && hole < smallest) {
        smallest = hole;
        best = running_end;
      }
    }
    running_end = std::max(running_end, align_up(obstacle.end, alignment));
  }
  return smallest == UINT64_MAX ? running_end : best;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

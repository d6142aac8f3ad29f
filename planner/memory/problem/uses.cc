// Cuts lifetimes at gaps into uses, compares two items use by use, and scans obstacles by offset.
#include "planner/memory/problem/uses.h"

#include <algorithm>

#include "core/assert.h"

namespace arenite::memory {

namespace {

std::span<const Use> uses_of(const Item& item, const Use& whole) {
  return item.solid ? std::span(&whole, item.size_bytes == 0 ? 0 : 1) : std::span(item.uses);
}

Use whole(const Item& item) { return {item.lifetime, {0, item.size_bytes}}; }

}  // namespace

std::vector<Use> uses_of(const Buffer& buffer) {
  const ByteRange all{0, buffer.size_bytes};
  std::vector<Use> uses;
  if (buffer.size_bytes == 0) return uses;
  if (buffer.gaps.empty()) return {{buffer.lifetime, all}};
  std::vector<Gap> gaps = buffer.gaps;
  std::sort(gaps.begin(), gaps.end(),
            [](const Gap& a, const Gap& b) { return a.steps.first < b.steps.first; });
  uint64_t next = buffer.lifetime.first;
  for (const Gap& gap : gaps) {
    if (next < gap.steps.first) {
      uses.push_back({{static_cast<uint32_t>(next), gap.steps.first - 1}, all});
    }
    if (gap.in_use) uses.push_back({gap.steps, *gap.in_use});
    next = uint64_t{gap.steps.last} + 1;
  }
  if (next <= buffer.lifetime.last) {
    uses.push_back({{static_cast<uint32_t>(next), buffer.lifetime.last}, all});
  }
  return uses;
}

std::optional<ByteRange> in_use_at(const Buffer& buffer, uint32_t step) {
  if (!buffer.lifetime.covers(step)) return std::nullopt;
  for (const Gap& gap : buffer.gaps) {
    if (gap.steps.covers(step)) return gap.in_use;
  }
  return ByteRange{0, buffer.size_bytes};
}

Forbidden forbidden_starts(const Item& a, const Item& b) {
  const Use whole_a = whole(a);
  const Use whole_b = whole(b);
  const std::span<const Use> of_a = uses_of(a, whole_a);
  const std::span<const Use> of_b = uses_of(b, whole_b);
  Forbidden range{INT64_MAX, INT64_MIN};
  for (std::size_t i = 0, j = 0; i < of_a.size() && j < of_b.size();) {
    const Use& x = of_a[i];
    const Use& y = of_b[j];
    if (x.steps.meets(y.steps)) {
      range.low = std::min(range.low,
                           static_cast<int64_t>(y.bytes.begin) - static_cast<int64_t>(x.bytes.end));
      range.high = std::max(
          range.high, static_cast<int64_t>(y.bytes.end) - static_cast<int64_t>(x.bytes.begin));
    }
    if (x.steps.last < y.steps.last) {
      ++i;
    } else {
      ++j;
    }
  }
  return range;
}

Obstacle obstacle_of(const Forbidden& range, uint64_t offset, uint64_t size_bytes) {
  ARENITE_ASSERT(range.low >= -static_cast<int64_t>(size_bytes));
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

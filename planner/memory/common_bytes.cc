// Which buffers of a plan have bytes in common on purpose, and how many.
#include "planner/memory/common_bytes.h"

#include <algorithm>

#include "planner/memory/items.h"
#include "planner/memory/uses.h"

namespace arenite::memory {
namespace {

// From the first to the last byte of their memory that both hold data in at one step.
ByteRange used_by_both(const Buffer& a, uint64_t start_a, const Buffer& b, uint64_t start_b) {
  ByteRange both{UINT64_MAX, 0};
  const std::vector<Use> of_b = uses_of(b);
  for (const Use& x : uses_of(a)) {
    for (const Use& y : of_b) {
      if (x.steps.first > y.steps.last || y.steps.first > x.steps.last) continue;
      const uint64_t begin = std::max(start_a + x.bytes.begin, start_b + y.bytes.begin);
      const uint64_t end = std::min(start_a + x.bytes.end, start_b + y.bytes.end);
      if (begin < end) both = {std::min(both.begin, begin), std::max(both.end, end)};
    }
  }
  return both;
}

}  // namespace

std::vector<CommonBytes> common_bytes(const Problem& problem, const Solution& solution) {
  std::vector<CommonBytes> found;
  const auto add = [&](uint32_t owner, uint32_t guest, CommonWhy why) {
    const Placement& a = solution.placements[owner];
    const Placement& b = solution.placements[guest];
    if (a.memory != b.memory) return;
    const ByteRange both =
        used_by_both(problem.buffers[owner], a.offset, problem.buffers[guest], b.offset);
    if (both.begin < both.end)
      found.push_back({owner, guest, both.begin, both.end - both.begin, why});
  };
  for (const Overlap& overlap : problem.overlaps) {
    add(overlap.input, overlap.output, CommonWhy::kOverInput);
  }
  const std::vector<Anchor> anchors = find_anchors(problem.buffers);
  for (uint32_t i = 0; i < anchors.size(); ++i) {
    if (anchors[i].root != i) add(anchors[i].root, i, CommonWhy::kPart);
  }
  return found;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Which buffers of a plan have bytes in common on purpose, and how many.
#include "planner/memory/common_bytes.h"

#include <algorithm>

#include "planner/memory/items.h"
#include "planner/memory/sections.h"

namespace arenite::memory {
namespace {

bool live_together(const Buffer& a, const Buffer& b) {
  for (const Lifetime& one : live_parts(a)) {
    for (const Lifetime& other : live_parts(b)) {
      if (one.first <= other.last && other.first <= one.last) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<CommonBytes> common_bytes(const Problem& problem, const Solution& solution) {
  std::vector<CommonBytes> found;
  const auto add = [&](uint32_t owner, uint32_t guest, CommonWhy why) {
    const Placement& a = solution.placements[owner];
    const Placement& b = solution.placements[guest];
    if (a.memory != b.memory) return;
    const uint64_t begin = std::max(a.offset, b.offset);
    const uint64_t end = std::min(a.offset + problem.buffers[owner].size_bytes,
                                  b.offset + problem.buffers[guest].size_bytes);
    if (begin >= end || !live_together(problem.buffers[owner], problem.buffers[guest])) return;
    found.push_back({owner, guest, begin, end - begin, why});
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

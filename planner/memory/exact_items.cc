// Whether what is proved of rigid items is proved of the buffers in them.
#include "planner/memory/exact_items.h"

#include <algorithm>
#include <map>
#include <vector>

#include "planner/memory/union_length.h"

namespace arenite::memory {
namespace {

// A birth or death of a member at the start of a step.
struct Change {
  uint64_t step = 0;
  ByteRange bytes;  // from the item's start
  int count = 0;
};

// Whether the members use all bytes of their item at each step of its lifetime.
bool is_full(const Problem& problem, std::span<const Anchor> anchors, const Item& item,
             std::span<const uint32_t> members) {
  if (!item.solid) return false;
  std::vector<Change> changes;
  std::vector<uint64_t> end_points;
  for (const uint32_t b : members) {
    const Buffer& buffer = problem.buffers[b];
    const uint64_t begin = anchors[b].offset_bytes;
    const ByteRange bytes{begin, begin + buffer.size_bytes};
    end_points.insert(end_points.end(), {bytes.begin, bytes.end});
    changes.push_back({buffer.lifetime.first, bytes, +1});
    changes.push_back({uint64_t{buffer.lifetime.last} + 1, bytes, -1});
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.step < b.step; });
  const uint64_t beyond = uint64_t{item.lifetime.last} + 1;
  UnionLength covered(std::move(end_points));
  for (std::size_t i = 0; i < changes.size();) {
    const uint64_t step = changes[i].step;
    for (; i < changes.size() && changes[i].step == step; ++i) {
      covered.change(changes[i].bytes.begin, changes[i].bytes.end, changes[i].count);
    }
    if (step < beyond && covered.length() != item.size_bytes) return false;
  }
  return true;
}

}  // namespace

bool items_are_exact(const Problem& problem, std::span<const Anchor> anchors,
                     std::span<const Item> items) {
  std::map<uint32_t, std::vector<uint32_t>> groups;  // by root, of several buffers
  for (uint32_t b = 0; b < anchors.size(); ++b) {
    if (anchors[b].root != b) groups[anchors[b].root].push_back(b);
  }
  if (groups.empty()) return true;
  for (const Overlap& overlap : problem.overlaps) {
    if (groups.count(anchors[overlap.input].root) != 0) return false;
    if (groups.count(anchors[overlap.output].root) != 0) return false;
  }
  return std::all_of(items.begin(), items.end(), [&](const Item& item) {
    const auto group = groups.find(item.root);
    if (group == groups.end()) return true;
    std::vector<uint32_t> members = group->second;
    members.push_back(item.root);
    return is_full(problem, anchors, item, members);
  });
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

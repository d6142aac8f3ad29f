// Turns buffers and the views tied to them into the rigid items that the algorithms place.
#include "planner/memory/items.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace arenite::memory {
namespace {

std::string quoted(const std::string& name) { return "'" + name + "'"; }

// The buffers from `start` up to, not including, the first one that is resolved; the last element
// is the one nearest to the root.
std::vector<uint32_t> unresolved_chain(std::span<const Buffer> buffers, uint32_t start,
                                       const std::vector<bool>& resolved,
                                       std::vector<uint32_t>& visited_from) {
  std::vector<uint32_t> chain;
  for (uint32_t at = start; !resolved[at];) {
    if (visited_from[at] == start + 1) {
      throw InputError("buffer " + quoted(buffers[at].name) +
                       " is placed relative to itself through a cycle of relative buffers");
    }
    visited_from[at] = start + 1;
    chain.push_back(at);
    if (!buffers[at].relative) break;
    const uint32_t base = buffers[at].relative->base;
    if (base >= buffers.size()) {
      throw InputError("buffer " + quoted(buffers[at].name) + " is placed relative to buffer " +
                       std::to_string(base) + ", but there are only " +
                       std::to_string(buffers.size()) + " buffers");
    }
    at = base;
  }
  return chain;
}

std::vector<uint32_t> intersect(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::vector<uint32_t> allowed_memories(const Problem& problem, const Buffer& buffer) {
  std::vector<uint32_t> allowed = buffer.allowed;
  if (allowed.empty()) {
    allowed.resize(problem.memories.size());
    std::iota(allowed.begin(), allowed.end(), 0U);
    return allowed;
  }
  std::sort(allowed.begin(), allowed.end());
  allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
  if (allowed.back() >= problem.memories.size()) {
    throw InputError("buffer " + quoted(buffer.name) + " allows memory " +
                     std::to_string(allowed.back()) + ", but there are only " +
                     std::to_string(problem.memories.size()) + " memories");
  }
  return allowed;
}

void join(const Problem& problem, const Anchor& anchor, const Buffer& member, Item& item) {
  const Buffer& root = problem.buffers[anchor.root];
  if (member.alignment == 0) {
    throw InputError("buffer " + quoted(member.name) + " has alignment 0; expected at least 1");
  }
  if (anchor.offset_bytes % member.alignment != 0) {
    throw InputError("buffer " + quoted(member.name) + " needs alignment " +
                     std::to_string(member.alignment) + " but lies " +
                     std::to_string(anchor.offset_bytes) + " bytes inside " + quoted(root.name));
  }
  item.alignment = common_alignment(item.alignment, member.alignment);
  if (item.alignment == 0) {
    throw InputError("the alignments of " + quoted(root.name) + " and of the buffers placed " +
                     "relative to it have no common multiple up to 2^32");
  }
  if (member.size_bytes > kTotalBytesMax - anchor.offset_bytes) {
    throw InputError("buffer " + quoted(member.name) + " of " + std::to_string(member.size_bytes) +
                     " bytes is too large to plan; at most 2^62 bytes in all");
  }
  item.size_bytes = std::max(item.size_bytes, anchor.offset_bytes + member.size_bytes);
  item.lifetime.first = std::min(item.lifetime.first, member.lifetime.first);
  item.lifetime.last = std::max(item.lifetime.last, member.lifetime.last);
  if (member.allowed.empty() || &member == &root) return;
  item.allowed = intersect(item.allowed, allowed_memories(problem, member));
  if (item.allowed.empty()) {
    throw InputError("buffer " + quoted(member.name) + " and " + quoted(root.name) +
                     " are placed together but no memory is allowed to both");
  }
}

// From which to which byte of an item its members hold data, at each step at which some do.
std::vector<Use> joined_uses(std::span<const Buffer> buffers, std::span<const Anchor> anchors,
                             std::span<const uint32_t> members) {
  struct Change {
    uint64_t step;
    ByteRange bytes;
    bool begins;
  };
  std::vector<Change> changes;
  for (const uint32_t b : members) {
    for (const Use& use : uses_of(buffers[b])) {
      const uint64_t start = anchors[b].offset_bytes;
      const ByteRange bytes{start + use.bytes.begin, start + use.bytes.end};
      changes.push_back({use.steps.first, bytes, true});
      changes.push_back({uint64_t{use.steps.last} + 1, bytes, false});
    }
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.step < b.step; });
  std::multiset<uint64_t> begins, ends;
  std::vector<Use> uses;
  for (std::size_t i = 0; i < changes.size();) {
    const uint64_t step = changes[i].step;
    for (; i < changes.size() && changes[i].step == step; ++i) {
      const ByteRange& bytes = changes[i].bytes;
      if (changes[i].begins) {
        begins.insert(bytes.begin);
        ends.insert(bytes.end);
      } else {
        begins.erase(begins.find(bytes.begin));
        ends.erase(ends.find(bytes.end));
      }
    }
    if (begins.empty()) continue;
    const Lifetime steps{static_cast<uint32_t>(step), static_cast<uint32_t>(changes[i].step - 1)};
    uses.push_back({steps, {*begins.begin(), *ends.rbegin()}});
  }
  return uses;
}

// Gives the items in which some member has gaps their uses.
void open_gaps(std::span<const Buffer> buffers, std::span<const Anchor> anchors,
               std::span<const uint32_t> item_of, std::vector<Item>& items) {
  std::map<uint32_t, std::vector<uint32_t>> members;  // of the items with gaps
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].gaps.empty()) members[item_of[anchors[i].root]];
  }
  if (members.empty()) return;
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    const auto found = members.find(item_of[anchors[i].root]);
    if (found != members.end()) found->second.push_back(i);
  }
  for (const auto& [item, list] : members) {
    items[item].solid = false;
    items[item].uses = joined_uses(buffers, anchors, list);
  }
}

}  // namespace

uint64_t common_alignment(uint64_t a, uint64_t b) {
  constexpr uint64_t kMax = uint64_t{1} << 32;
  const uint64_t factor = b / std::gcd(a, b);
  return factor > kMax / a ? 0 : a * factor;
}

std::vector<Anchor> find_anchors(std::span<const Buffer> buffers) {
  std::vector<Anchor> anchors(buffers.size());
  std::vector<bool> resolved(buffers.size(), false);
  std::vector<uint32_t> visited_from(buffers.size(), 0);
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    const std::vector<uint32_t> chain = unresolved_chain(buffers, i, resolved, visited_from);
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
      const Buffer& buffer = buffers[*it];
      resolved[*it] = true;
      if (!buffer.relative) {
        anchors[*it] = {*it, 0};
        continue;
      }
      const Anchor& base = anchors[buffer.relative->base];
      if (buffer.relative->offset_bytes > kTotalBytesMax - base.offset_bytes) {
        throw InputError("buffer " + quoted(buffer.name) + " lies " +
                         std::to_string(buffer.relative->offset_bytes) +
                         " bytes inside its base, more than 2^62 in all");
      }
      anchors[*it] = {base.root, base.offset_bytes + buffer.relative->offset_bytes};
    }
  }
  return anchors;
}

std::vector<Item> make_items(const Problem& problem, std::span<const Anchor> anchors) {
  std::vector<Item> items;
  std::vector<uint32_t> item_of(problem.buffers.size(), 0);
  for (uint32_t i = 0; i < problem.buffers.size(); ++i) {
    if (anchors[i].root != i) continue;
    const Buffer& buffer = problem.buffers[i];
    item_of[i] = static_cast<uint32_t>(items.size());
    items.push_back({.root = i,
                     .lifetime = buffer.lifetime,
                     .allowed = allowed_memories(problem, buffer),
                     .fixed = buffer.fixed});
  }
  for (uint32_t i = 0; i < problem.buffers.size(); ++i) {
    join(problem, anchors[i], problem.buffers[i], items[item_of[anchors[i].root]]);
  }
  open_gaps(problem.buffers, anchors, item_of, items);
  return items;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Follows each buffer's chain of bases to its root, and joins the members of a root into one item.
#include "planner/memory/problem/items.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "planner/memory/problem/check.h"
#include "planner/memory/problem/live_bytes.h"
#include "planner/memory/problem/uses.h"
#include "support/printable.h"

namespace arenite::memory {

namespace {

// The buffers from `start` up to, not including, the first one that is resolved; the last element
// is the one nearest to the root.
std::vector<uint32_t> unresolved_chain(std::span<const Buffer> buffers, uint32_t start,
                                       const std::vector<bool>& resolved,
                                       std::vector<uint32_t>& visited_from) {
  std::vector<uint32_t> chain;
  for (uint32_t at = start; !resolved[at];) {
    if (visited_from[at] == start + 1) {
      throw InputError("buffer " + quote(buffers[at].name) +
                       " is placed relative to itself through a cycle of relative buffers");
    }
    visited_from[at] = start + 1;
    chain.push_back(at);
    if (!buffers[at].relative) break;
    const uint32_t base = buffers[at].relative->base;
    if (base >= buffers.size()) {
      throw InputError("buffer " + quote(buffers[at].name) + " is placed relative to buffer " +
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
    std::iota(allowed.begin(), allowed.end(), 0u);
    return allowed;
  }
  std::sort(allowed.begin(), allowed.end());
  allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
  if (allowed.back() >= problem.memories.size()) {
    throw InputError("buffer " + quote(buffer.name) + " allows memory " +
                     std::to_string(allowed.back()) + ", but there are only " +
                     std::to_string(problem.memories.size()) + " memories");
  }
  return allowed;
}

void join(const Problem& problem, const Anchor& anchor, const Buffer& member, Item& item) {
  const Buffer& root = problem.buffers[anchor.root];
  if (member.alignment == 0) {
    throw InputError("buffer " + quote(member.name) + " has alignment 0; expected at least 1");
  }
  if (anchor.offset_bytes % member.alignment != 0) {
    throw InputError("buffer " + quote(member.name) + " needs alignment " +
                     std::to_string(member.alignment) + " but lies " +
                     std::to_string(anchor.offset_bytes) + " bytes inside " + quote(root.name));
  }
  item.alignment = common_alignment(item.alignment, member.alignment);
  if (item.alignment == 0) {
    throw InputError("the alignments of " + quote(root.name) + " and of the buffers placed " +
                     "relative to it have no common multiple up to 2^32");
  }
  if (member.size_bytes > kTotalBytesMax - anchor.offset_bytes) {
    throw InputError("buffer " + quote(member.name) + " of " + std::to_string(member.size_bytes) +
                     " bytes is too large to plan; at most 2^62 bytes in all");
  }
  item.size_bytes = std::max(item.size_bytes, anchor.offset_bytes + member.size_bytes);
  item.lifetime.first = std::min(item.lifetime.first, member.lifetime.first);
  item.lifetime.last = std::max(item.lifetime.last, member.lifetime.last);
  if (member.allowed.empty() || &member == &root) return;
  item.allowed = intersect(item.allowed, allowed_memories(problem, member));
  if (item.allowed.empty()) {
    throw InputError("buffer " + quote(member.name) + " and " + quote(root.name) +
                     " are placed together but no memory is allowed to both");
  }
}

// The bytes of an item in which its members hold data, from first to last, at each step at which
// some do.
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
    if (!buffers[i].gaps.empty()) members[item_of[i]];
  }
  if (members.empty()) return;
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    const auto found = members.find(item_of[i]);
    if (found != members.end()) found->second.push_back(i);
  }
  for (const auto& [item, list] : members) {
    items[item].solid = false;
    items[item].uses = joined_uses(buffers, anchors, list);
  }
}

// Gives the items of several buffers their parts.
void add_parts(std::span<const Buffer> buffers, std::span<const Anchor> anchors,
               std::span<const uint32_t> item_of, std::vector<Item>& items) {
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    if (anchors[i].root != i) items[item_of[i]].in_parts = true;
  }
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    if (!items[item_of[i]].in_parts) continue;
    const uint64_t start = anchors[i].offset_bytes;
    for (const Use& use : uses_of(buffers[i])) {
      items[item_of[i]].parts.push_back(
          {i, start, {use.steps, {start + use.bytes.begin, start + use.bytes.end}}});
    }
  }
}

}  // namespace

uint64_t common_alignment(uint64_t a, uint64_t b) {
  constexpr uint64_t kMax = uint64_t{1} << 32;
  const uint64_t factor = b / std::gcd(a, b);
  return factor > kMax / a ? 0 : a * factor;
}

std::string steps_text(const Lifetime& steps) {
  return "from step " + std::to_string(steps.first) + " to " + std::to_string(steps.last);
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
        throw InputError("buffer " + quote(buffer.name) + " lies " +
                         std::to_string(buffer.relative->offset_bytes) +
                         " bytes inside its base, more than 2^62 in all");
      }
      anchors[*it] = {base.root, base.offset_bytes + buffer.relative->offset_bytes};
    }
  }
  return anchors;
}

std::vector<Item> make_items(const Problem& problem, std::span<const Anchor> anchors,
                             std::vector<uint32_t>& item_of) {
  std::vector<Item> items;
  item_of.assign(problem.buffers.size(), 0);
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
    item_of[i] = item_of[anchors[i].root];
    join(problem, anchors[i], problem.buffers[i], items[item_of[i]]);
  }
  open_gaps(problem.buffers, anchors, item_of, items);
  add_parts(problem.buffers, anchors, item_of, items);
  return items;
}

namespace {

// The overlaps of items, one pair after the other.
class OverlapResolver {
 public:
  OverlapResolver(const Problem& problem, std::span<const Anchor> anchors,
                  std::span<const Item> items, std::span<const uint32_t> item_of)
      : problem_(problem), anchors_(anchors), items_(items), item_of_(item_of) {
    members_.resize(items.size());
    for (uint32_t b = 0; b < problem.buffers.size(); ++b) members_[item_of[b]].push_back(b);
    for (const Overlap& overlap : problem.overlaps) {
      const auto [at, added] =
          leads_.try_emplace({overlap.input, overlap.output}, overlap.lead_bytes);
      if (!added) at->second = std::min(at->second, overlap.lead_bytes);
    }
  }

  std::vector<Overlap> run() const {
    std::map<std::pair<uint32_t, uint32_t>, int64_t> found;
    for (const Overlap& overlap : problem_.overlaps) {
      const uint32_t input = item_of_[overlap.input];
      const uint32_t output = item_of_[overlap.output];
      const uint32_t step = items_[input].lifetime.last;
      if (input == output || items_[output].lifetime.first != step) continue;
      if (const auto lead = lead_of(input, output, step)) found[{output, input}] = *lead;
    }
    std::vector<Overlap> overlaps;
    overlaps.reserve(found.size());
    for (const auto& [pair, lead] : found) overlaps.push_back({pair.second, pair.first, lead});
    return overlaps;
  }

 private:
  // The lead between the starts of two items; nothing when some pair of members of theirs that
  // lives at the step has no permission.
  std::optional<int64_t> lead_of(uint32_t input, uint32_t output, uint32_t step) const {
    std::optional<int64_t> lead;
    for (const uint32_t in : members_[input]) {
      if (!holds(in, step)) continue;
      for (const uint32_t out : members_[output]) {
        if (!holds(out, step)) continue;
        const auto at = leads_.find({in, out});
        if (at == leads_.end()) return std::nullopt;
        const int64_t between = at->second + static_cast<int64_t>(anchors_[out].offset_bytes) -
                                static_cast<int64_t>(anchors_[in].offset_bytes);
        lead = lead ? std::max(*lead, between) : between;
      }
    }
    return lead;
  }

  // Whether it has data in use.
  bool holds(uint32_t b, uint32_t step) const {
    const Buffer& buffer = problem_.buffers[b];
    return buffer.size_bytes > 0 && in_use_at(buffer, step).has_value();
  }

  const Problem& problem_;
  std::span<const Anchor> anchors_;
  std::span<const Item> items_;
  std::span<const uint32_t> item_of_;
  std::vector<std::vector<uint32_t>> members_;  // by item
  std::map<std::pair<uint32_t, uint32_t>, int64_t> leads_;
};

}  // namespace

std::vector<Overlap> overlaps_of_items(const Problem& problem, std::span<const Anchor> anchors,
                                       std::span<const Item> items,
                                       std::span<const uint32_t> item_of) {
  if (problem.overlaps.empty()) return {};
  return OverlapResolver(problem, anchors, items, item_of).run();
}

namespace {

// A birth or death of a member at the start of a step.
struct Change {
  uint64_t step = 0;
  ByteRange bytes;  // from the item's start
  int count = 0;
};

// Whether the members use all bytes of their item at each step of its lifetime.
bool is_full(const CheckedProblem& problem, const Item& item, std::span<const uint32_t> members) {
  if (!item.solid) return false;
  std::vector<Change> changes;
  std::vector<uint64_t> end_points;
  for (const uint32_t b : members) {
    const Buffer& buffer = problem.buffers()[b];
    const uint64_t begin = problem.anchors()[b].offset_bytes;
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

std::vector<Lifetime> lifetimes_of(std::span<const Item> items) {
  std::vector<Lifetime> lifetimes;
  lifetimes.reserve(items.size());
  for (const Item& item : items) lifetimes.push_back(item.lifetime);
  return lifetimes;
}

bool items_are_exact(const CheckedProblem& problem) {
  const std::vector<Anchor>& anchors = problem.anchors();
  std::map<uint32_t, std::vector<uint32_t>> groups;  // by root, of several buffers
  for (uint32_t b = 0; b < anchors.size(); ++b) {
    if (anchors[b].root != b) groups[anchors[b].root].push_back(b);
  }
  if (groups.empty()) return true;
  for (const Overlap& overlap : problem.overlaps()) {
    if (groups.count(anchors[overlap.input].root) != 0) return false;
    if (groups.count(anchors[overlap.output].root) != 0) return false;
  }
  return std::all_of(groups.begin(), groups.end(), [&](auto& group) {
    group.second.push_back(group.first);
    return is_full(problem, problem.items()[problem.item_of(group.first)], group.second);
  });
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

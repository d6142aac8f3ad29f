// Walks through time with the live uses in order of address, and compares each with its neighbors.
#include "planner/memory/problem/verify.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "support/printable.h"

namespace arenite::memory {
namespace {

class Verifier {
 public:
  Verifier(const Problem& problem, const Solution& solution)
      : problem_(problem), solution_(solution) {}

  std::optional<Finding> run() {
    if (auto found = check_count()) return found;
    for (uint32_t i = 0; i < count(); ++i) {
      if (auto found = check_place(i)) return found;
    }
    if (auto found = check_relatives()) return found;
    for (uint32_t i = 0; i < count(); ++i) {
      if (auto found = check_bounds(i)) return found;
    }
    return check_overlaps();
  }

 private:
  uint32_t count() const { return static_cast<uint32_t>(problem_.buffers.size()); }
  const Buffer& buffer(uint32_t i) const { return problem_.buffers[i]; }
  const Placement& place(uint32_t i) const { return solution_.placements[i]; }
  const Memory& memory(uint32_t i) const { return problem_.memories[place(i).memory]; }
  uint64_t end(uint32_t i) const { return place(i).offset + buffer(i).size_bytes; }
  std::string name(uint32_t i) const { return "buffer " + quote(buffer(i).name); }

  // "buffer 'x' in memory 'm' at [0, 64), live from step 1 to 3"
  std::string describe(uint32_t i) const {
    return name(i) + " in memory " + quote(memory(i).name) + " at [" +
           std::to_string(place(i).offset) + ", " + std::to_string(end(i)) + "), live from step " +
           std::to_string(buffer(i).lifetime.first) + " to " +
           std::to_string(buffer(i).lifetime.last);
  }

  // "in memory 'm' at offset 64"
  std::string where_text(const Placement& at) const {
    const bool known = at.memory < problem_.memories.size();
    return "in memory " +
           (known ? quote(problem_.memories[at.memory].name) : std::to_string(at.memory)) +
           " at offset " + std::to_string(at.offset);
  }

  std::optional<Finding> check_count() const {
    const std::size_t found = solution_.placements.size();
    const std::string sizes =
        std::to_string(found) + " placements for " + std::to_string(count()) + " buffers";
    if (found < count()) {
      const auto first = static_cast<uint32_t>(found);
      return Finding{Violation::kMissingPlacement, first, std::nullopt,
                     name(first) + " has no placement: there are " + sizes};
    }
    if (found > count()) {
      return Finding{Violation::kExtraPlacement, count(), std::nullopt, "there are " + sizes};
    }
    return std::nullopt;
  }

  std::optional<Finding> check_place(uint32_t i) {
    const uint32_t where = place(i).memory;
    if (where == kNoMemory) {
      return Finding{Violation::kMissingPlacement, i, std::nullopt, name(i) + " has no placement"};
    }
    if (where >= problem_.memories.size()) {
      return Finding{Violation::kUnknownMemory, i, std::nullopt,
                     name(i) + " is in memory " + std::to_string(where) + ", but there are only " +
                         std::to_string(problem_.memories.size()) + " memories"};
    }
    const std::vector<uint32_t>& allowed = buffer(i).allowed;
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), where) == allowed.end()) {
      return Finding{
          Violation::kForbiddenMemory, i, std::nullopt,
          name(i) + " is in memory " + quote(memory(i).name) + ", which it does not allow"};
    }
    if (buffer(i).lifetime.last < buffer(i).lifetime.first) {
      return Finding{Violation::kBadLifetime, i, std::nullopt,
                     name(i) + " lives from step " + std::to_string(buffer(i).lifetime.first) +
                         " to step " + std::to_string(buffer(i).lifetime.last)};
    }
    if (auto found = find_uses(i)) return found;
    const std::optional<Placement>& fixed = buffer(i).fixed;
    if (fixed && (fixed->memory != where || fixed->offset != place(i).offset)) {
      return Finding{
          Violation::kFixedMoved, i, std::nullopt,
          name(i) + " is fixed " + where_text(*fixed) + " but was placed " + where_text(place(i))};
    }
    return std::nullopt;
  }

  // Notes when which bytes of a buffer hold data: gaps cut its lifetime into uses.
  std::optional<Finding> find_uses(uint32_t i) {
    const Lifetime& life = buffer(i).lifetime;
    const uint64_t size = buffer(i).size_bytes;
    std::map<uint32_t, const Gap*> gaps;  // by first step
    for (const Gap& gap : buffer(i).gaps) {
      const bool inside = gap.steps.first <= gap.steps.last && life.first <= gap.steps.first &&
                          gap.steps.last <= life.last;
      const bool has_bytes =
          !gap.in_use || (gap.in_use->begin < gap.in_use->end && gap.in_use->end <= size);
      if (!inside || !has_bytes || !gaps.emplace(gap.steps.first, &gap).second) {
        return bad_gap(i, gap);
      }
    }
    uint64_t step = life.first;  // up to here the uses are known
    for (const auto& [first, gap] : gaps) {
      if (first < step) return bad_gap(i, *gap);
      if (step < first) use(i, {static_cast<uint32_t>(step), first - 1}, {0, size});
      if (gap->in_use) use(i, gap->steps, *gap->in_use);
      step = uint64_t{gap->steps.last} + 1;
    }
    if (step <= life.last) use(i, {static_cast<uint32_t>(step), life.last}, {0, size});
    return std::nullopt;
  }

  void use(uint32_t i, const Lifetime& steps, const ByteRange& bytes) {
    if (bytes.end != 0) uses_.push_back({i, steps.first, steps.last, bytes.begin, bytes.end});
  }

  Finding bad_gap(uint32_t i, const Gap& gap) const {
    std::string text = name(i) + " has a gap from step " + std::to_string(gap.steps.first) +
                       " to " + std::to_string(gap.steps.last);
    if (gap.in_use) {
      text += " with bytes " + std::to_string(gap.in_use->begin) + " to " +
              std::to_string(gap.in_use->end) + " in use";
    }
    return {Violation::kBadGap, i, std::nullopt,
            text + ", outside its lifetime, across another gap or not of its bytes"};
  }

  // Each relative buffer against its direct base; then that each chain of bases has an end, by
  // giving every buffer the tie (group) of its base, nearest to the end of the chain first.
  std::optional<Finding> check_relatives() {
    std::vector<std::vector<uint32_t>> tied_to(count());
    std::vector<uint32_t> settled;
    for (uint32_t i = 0; i < count(); ++i) {
      if (!buffer(i).relative) {
        settled.push_back(i);
        continue;
      }
      const Relative& relative = *buffer(i).relative;
      if (relative.base >= count()) {
        return Finding{Violation::kRelativeUnresolved, i, std::nullopt,
                       name(i) + " is relative to buffer " + std::to_string(relative.base) +
                           ", which does not exist"};
      }
      const Placement& base = place(relative.base);
      // A sum that wrapped round would compare equal to a small offset.
      const bool wraps = relative.offset_bytes > UINT64_MAX - base.offset;
      if (wraps || place(i).memory != base.memory ||
          place(i).offset != base.offset + relative.offset_bytes) {
        return Finding{Violation::kRelativeBroken, i, relative.base,
                       describe(i) + " is not " + std::to_string(relative.offset_bytes) +
                           " bytes after the start of " + describe(relative.base)};
      }
      tied_to[relative.base].push_back(i);
    }
    group_.assign(count(), count());
    for (std::size_t next = 0; next < settled.size(); ++next) {
      const uint32_t i = settled[next];
      group_[i] = buffer(i).relative ? group_[buffer(i).relative->base] : i;
      settled.insert(settled.end(), tied_to[i].begin(), tied_to[i].end());
    }
    for (uint32_t i = 0; i < count(); ++i) {
      if (group_[i] == count()) {
        return Finding{
            Violation::kRelativeUnresolved, i, buffer(i).relative->base,
            name(i) + " is relative to itself through " + name(buffer(i).relative->base)};
      }
    }
    return std::nullopt;
  }

  std::optional<Finding> check_bounds(uint32_t i) const {
    const uint64_t offset = place(i).offset;
    const uint64_t size = buffer(i).size_bytes;
    const uint64_t base = memory(i).base;
    if (size > UINT64_MAX - offset || offset + size > UINT64_MAX - base) {
      return Finding{Violation::kSizeOverflow, i, std::nullopt,
                     name(i) + " of " + std::to_string(size) + " bytes at offset " +
                         std::to_string(offset) + " ends beyond 2^64"};
    }
    if (auto found = check_alignment(i, buffer(i).alignment, "its own")) return found;
    if (!buffer(i).relative) {
      if (auto found = check_alignment(i, memory(i).alignment, "the memory's")) return found;
    }
    if (memory(i).size_bytes != kUnbounded && offset + size > memory(i).size_bytes) {
      return Finding{
          Violation::kOutOfMemory, i, std::nullopt,
          describe(i) + " passes the end of the memory at " + std::to_string(memory(i).size_bytes)};
    }
    return std::nullopt;
  }

  std::optional<Finding> check_alignment(uint32_t i, uint32_t alignment, const char* whose) const {
    const uint64_t offset = place(i).offset;
    if (alignment != 0 && offset % alignment == 0 && (memory(i).base + offset) % alignment == 0) {
      return std::nullopt;
    }
    return Finding{Violation::kMisaligned, i, std::nullopt,
                   describe(i) + " is not aligned to " + whose + " " + std::to_string(alignment) +
                       " (memory base " + std::to_string(memory(i).base) + ")"};
  }

  // Bytes of a buffer, from its start, that hold data from one step to another.
  struct Use {
    uint32_t buffer = 0;
    uint32_t first = 0, last = 0;
    uint64_t begin = 0, end = 0;
  };
  uint64_t begin_of(const Use& use) const { return place(use.buffer).offset + use.begin; }
  uint64_t end_of(const Use& use) const { return place(use.buffer).offset + use.end; }
  uint32_t memory_of(const Use& use) const { return place(use.buffer).memory; }
  uint32_t group_of(const Use& use) const { return group_[use.buffer]; }

  // Lower bytes first, so that a use's index says where it lies among the live ones. Several may
  // begin at one byte.
  void sort_uses() {
    const auto key = [this](const Use& use) { return std::pair(memory_of(use), begin_of(use)); };
    std::stable_sort(uses_.begin(), uses_.end(),
                     [&](const Use& a, const Use& b) { return key(a) < key(b); });
  }
  using Live = std::set<uint32_t>;

  // Walks through time keeping the live uses in address order. Up to the first overlap, live uses
  // of different groups are disjoint, which is what makes looking at neighbors enough; but for the
  // steps at which some pair may share bytes: at those a new use is held against all.
  std::optional<Finding> check_overlaps() {
    sort_uses();
    std::vector<uint32_t> begins(uses_.size());
    std::iota(begins.begin(), begins.end(), 0u);
    std::vector<uint32_t> ends = begins;
    std::sort(begins.begin(), begins.end(), [this](uint32_t a, uint32_t b) {
      return std::pair(uses_[a].first, uses_[a].buffer) <
             std::pair(uses_[b].first, uses_[b].buffer);
    });
    std::sort(ends.begin(), ends.end(),
              [this](uint32_t a, uint32_t b) { return uses_[a].last < uses_[b].last; });
    Live live;
    std::size_t ended = 0;
    find_permissions();
    for (const uint32_t s : begins) {
      const Use& use = uses_[s];
      while (uses_[ends[ended]].last < use.first) live.erase(ends[ended++]);
      const auto here = live.insert(s).first;
      if (sharing_steps_.count(use.first) != 0) {
        if (auto other = any_other(live, use)) return overlap(use, uses_[*other]);
        continue;
      }
      if (auto other = neighbor_above(live, here)) return overlap(use, uses_[*other]);
      if (auto other = neighbor_below(live, here)) return overlap(use, uses_[*other]);
    }
    return std::nullopt;
  }

  // A live use of another group that starts inside this one.
  std::optional<uint32_t> neighbor_above(const Live& live, Live::const_iterator here) const {
    const Use& use = uses_[*here];
    for (auto it = std::next(here); it != live.end(); ++it) {
      const Use& other = uses_[*it];
      if (memory_of(other) != memory_of(use) || begin_of(other) >= end_of(use)) break;
      if (group_of(other) != group_of(use)) return *it;
    }
    return std::nullopt;
  }

  // A live use of another group that starts at or before this one and ends inside or after it.
  // Whatever reaches past its upper neighbors into this use is of their group, so only the group
  // just below needs a look; members of it may hide behind one another.
  std::optional<uint32_t> neighbor_below(const Live& live, Live::const_iterator here) const {
    const Use& use = uses_[*here];
    std::optional<uint32_t> group;
    for (auto it = here; it != live.begin();) {
      --it;
      const Use& other = uses_[*it];
      if (memory_of(other) != memory_of(use)) break;
      if (!group) group = group_of(other);
      if (group_of(other) != *group || *group == group_of(use)) break;
      if (end_of(other) > begin_of(use)) return *it;
    }
    return std::nullopt;
  }

  // The permissions whose input dies at the step at which the output is born, by pair.
  void find_permissions() {
    for (const Overlap& entry : problem_.overlaps) {
      if (entry.input >= count() || entry.output >= count()) continue;
      const uint32_t step = buffer(entry.output).lifetime.first;
      if (buffer(entry.input).lifetime.last != step) continue;
      leads_.insert({{entry.input, entry.output}, entry.lead_bytes});
      sharing_steps_.insert(step);
    }
  }

  // A live use of another group that shares bytes with this one without permission.
  std::optional<uint32_t> any_other(const Live& live, const Use& use) const {
    for (const uint32_t s : live) {
      const Use& other = uses_[s];
      if (group_of(other) == group_of(use) || memory_of(other) != memory_of(use)) continue;
      if (begin_of(other) >= end_of(use) || begin_of(use) >= end_of(other)) continue;
      if (!may_share(use.buffer, other.buffer) && !may_share(other.buffer, use.buffer)) return s;
    }
    return std::nullopt;
  }

  // Whether some permission lets the two lie as they do.
  bool may_share(uint32_t input, uint32_t output) const {
    const auto [first, last] = leads_.equal_range({input, output});
    return std::any_of(first, last, [&](const auto& entry) {
      const int64_t lead = entry.second;
      const uint64_t in = place(input).offset;
      const uint64_t out = place(output).offset;
      // in >= out + lead, where no sum can wrap round
      if (in >= out) return lead <= 0 || in - out >= static_cast<uint64_t>(lead);
      return lead < 0 && out - in <= uint64_t{0} - static_cast<uint64_t>(lead);
    });
  }

  Finding overlap(const Use& a, const Use& b) const {
    const uint32_t step = std::max(a.first, b.first);
    return Finding{
        Violation::kOverlap, a.buffer, b.buffer,
        describe(a.buffer) + " overlaps " + describe(b.buffer) + " at step " + std::to_string(step),
        step};
  }

  const Problem& problem_;
  const Solution& solution_;
  std::vector<Use> uses_;        // of all buffers; by place once overlaps are looked for
  std::vector<uint32_t> group_;  // the buffer at the end of each one's chain of bases
  std::multimap<std::pair<uint32_t, uint32_t>, int64_t> leads_;  // by input and output
  std::set<uint32_t> sharing_steps_;
};

}  // namespace

std::string_view name_of(Violation violation) {
  switch (violation) {
    case Violation::kMissingPlacement:
      return "missing placement";
    case Violation::kExtraPlacement:
      return "extra placement";
    case Violation::kUnknownMemory:
      return "unknown memory";
    case Violation::kForbiddenMemory:
      return "forbidden memory";
    case Violation::kFixedMoved:
      return "fixed buffer moved";
    case Violation::kRelativeUnresolved:
      return "relative buffer unresolved";
    case Violation::kRelativeBroken:
      return "relative buffer broken";
    case Violation::kMisaligned:
      return "misaligned";
    case Violation::kSizeOverflow:
      return "size overflow";
    case Violation::kOutOfMemory:
      return "out of memory bounds";
    case Violation::kBadLifetime:
      return "bad lifetime";
    case Violation::kBadGap:
      return "bad gap";
    case Violation::kOverlap:
      return "overlap";
  }
  return "unknown violation";
}

std::optional<Finding> verify(const Problem& problem, const Solution& solution) {
  return Verifier(problem, solution).run();
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Checks a finished memory plan against its problem, sharing no code with what made the plan.
#include "planner/memory/verify.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

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
  std::string name(uint32_t i) const { return "buffer '" + buffer(i).name + "'"; }

  // "buffer 'x' in memory 'm' at [0, 64), live from step 1 to 3"
  std::string describe(uint32_t i) const {
    return name(i) + " in memory '" + memory(i).name + "' at [" + std::to_string(place(i).offset) +
           ", " + std::to_string(end(i)) + "), live from step " +
           std::to_string(buffer(i).lifetime.first) + " to " +
           std::to_string(buffer(i).lifetime.last);
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

  std::optional<Finding> check_place(uint32_t i) const {
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
      return Finding{Violation::kForbiddenMemory, i, std::nullopt,
                     name(i) + " is in memory '" + memory(i).name + "', which it does not allow"};
    }
    if (buffer(i).lifetime.last < buffer(i).lifetime.first) {
      return Finding{Violation::kBadLifetime, i, std::nullopt,
                     name(i) + " lives from step " + std::to_string(buffer(i).lifetime.first) +
                         " to step " + std::to_string(buffer(i).lifetime.last)};
    }
    const std::optional<Placement>& fixed = buffer(i).fixed;
    if (fixed && (fixed->memory != where || fixed->offset != place(i).offset)) {
      return Finding{Violation::kFixedMoved, i, std::nullopt,
                     name(i) + " is fixed in memory " + std::to_string(fixed->memory) +
                         " at offset " + std::to_string(fixed->offset) + " but was placed in " +
                         std::to_string(where) + " at " + std::to_string(place(i).offset)};
    }
    return std::nullopt;
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

  // Lower offsets first; ties by index so that several buffers may share an offset.
  struct ByOffset {
    const Solution* solution;
    bool operator()(uint32_t a, uint32_t b) const {
      const Placement& left = solution->placements[a];
      const Placement& right = solution->placements[b];
      if (left.memory != right.memory) return left.memory < right.memory;
      if (left.offset != right.offset) return left.offset < right.offset;
      return a < b;
    }
  };
  using Live = std::set<uint32_t, ByOffset>;

  // Walks through time keeping the live buffers in address order. Up to the first overlap, live
  // buffers of different groups are disjoint, which is what makes looking at neighbours enough; but
  // for the steps at which some pair may share bytes: there a new buffer is held against all.
  std::optional<Finding> check_overlaps() {
    std::vector<uint32_t> births;
    for (uint32_t i = 0; i < count(); ++i) {
      if (buffer(i).size_bytes > 0) births.push_back(i);
    }
    std::vector<uint32_t> deaths = births;
    std::sort(births.begin(), births.end(), [this](uint32_t a, uint32_t b) {
      return buffer(a).lifetime.first < buffer(b).lifetime.first;
    });
    std::sort(deaths.begin(), deaths.end(), [this](uint32_t a, uint32_t b) {
      return buffer(a).lifetime.last < buffer(b).lifetime.last;
    });
    Live live(ByOffset{&solution_});
    std::size_t dead = 0;
    find_permissions();
    for (const uint32_t i : births) {
      while (buffer(deaths[dead]).lifetime.last < buffer(i).lifetime.first) {
        live.erase(deaths[dead++]);
      }
      const auto here = live.insert(i).first;
      if (sharing_steps_.count(buffer(i).lifetime.first) != 0) {
        if (auto other = any_other(live, i)) return overlap(i, *other);
        continue;
      }
      if (auto other = neighbour_above(live, here)) return overlap(i, *other);
      if (auto other = neighbour_below(live, here)) return overlap(i, *other);
    }
    return std::nullopt;
  }

  // A live buffer of another group that starts inside this one.
  std::optional<uint32_t> neighbour_above(const Live& live, Live::const_iterator here) const {
    for (auto it = std::next(here); it != live.end(); ++it) {
      if (place(*it).memory != place(*here).memory || place(*it).offset >= end(*here)) break;
      if (group_[*it] != group_[*here]) return *it;
    }
    return std::nullopt;
  }

  // A live buffer of another group that starts at or before this one and ends inside or after it.
  // Whatever reaches past its upper neighbours into this buffer is of their group, so only the
  // group just below needs a look; members of it may hide behind one another.
  std::optional<uint32_t> neighbour_below(const Live& live, Live::const_iterator here) const {
    std::optional<uint32_t> group;
    for (auto it = here; it != live.begin();) {
      --it;
      if (place(*it).memory != place(*here).memory) break;
      if (!group) group = group_[*it];
      if (group_[*it] != *group || *group == group_[*here]) break;
      if (end(*it) > place(*here).offset) return *it;
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

  // A live buffer of another group that shares bytes with this one without permission.
  std::optional<uint32_t> any_other(const Live& live, uint32_t i) const {
    for (const uint32_t other : live) {
      if (group_[other] == group_[i] || place(other).memory != place(i).memory) continue;
      if (place(other).offset >= end(i) || place(i).offset >= end(other)) continue;
      if (!may_share(i, other) && !may_share(other, i)) return other;
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

  Finding overlap(uint32_t a, uint32_t b) const {
    return Finding{Violation::kOverlap, a, b, describe(a) + " overlaps " + describe(b)};
  }

  const Problem& problem_;
  const Solution& solution_;
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

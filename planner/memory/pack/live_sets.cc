// Walks through births and deaths in order; a set is complete when a death follows a birth.
#include "planner/memory/pack/live_sets.h"

#include <algorithm>
#include <map>
#include <set>

namespace arenite::memory {
namespace {

// The sets of those `indices`, of which the others are in none.
LiveSets sets_among(std::vector<uint32_t> indices, std::size_t count, const auto& lifetime_of) {
  std::vector<uint32_t> births = std::move(indices);
  std::vector<uint32_t> deaths = births;
  std::stable_sort(births.begin(), births.end(), [&](uint32_t a, uint32_t b) {
    return lifetime_of(a).first < lifetime_of(b).first;
  });
  std::stable_sort(deaths.begin(), deaths.end(), [&](uint32_t a, uint32_t b) {
    return lifetime_of(a).last < lifetime_of(b).last;
  });
  LiveSets sets;
  sets.first.assign(count, 1);
  sets.last.assign(count, 0);
  std::size_t born = 0;
  for (std::size_t dead = 0; dead < deaths.size(); ++sets.count) {
    // All that is born before the next death, then the set is as large as it gets.
    const uint32_t death = lifetime_of(deaths[dead]).last;
    while (born < births.size() && lifetime_of(births[born]).first <= death) {
      sets.first[births[born++]] = sets.count;
    }
    // Deaths up to the next birth make only smaller sets.
    const bool more = born < births.size();
    const uint32_t birth = more ? lifetime_of(births[born]).first : 0;
    while (dead < deaths.size() && (!more || lifetime_of(deaths[dead]).last < birth)) {
      sets.last[deaths[dead++]] = sets.count;
    }
  }
  return sets;
}

}  // namespace

LiveSets find_live_sets(std::span<const Lifetime> lifetimes) {
  std::vector<uint32_t> all(lifetimes.size());
  std::iota(all.begin(), all.end(), 0u);
  return sets_among(std::move(all), lifetimes.size(), [&](uint32_t i) { return lifetimes[i]; });
}

LiveSets find_live_sets(std::span<const Item> items) {
  std::vector<uint32_t> with_bytes;
  for (uint32_t i = 0; i < items.size(); ++i) {
    if (items[i].size_bytes != 0) with_bytes.push_back(i);
  }
  return sets_among(std::move(with_bytes), items.size(),
                    [&](uint32_t i) { return items[i].lifetime; });
}

SetMembers list_members(const LiveSets& sets) {
  SetMembers members;
  members.begin.assign(sets.count + 1, 0);
  for (uint32_t i = 0; i < sets.first.size(); ++i) {
    for (uint32_t s = sets.first[i]; s <= sets.last[i] && sets.holds(i); ++s) {
      ++members.begin[s + 1];
    }
  }
  std::partial_sum(members.begin.begin(), members.begin.end(), members.begin.begin());
  members.items.resize(members.begin.back());
  std::vector<uint32_t> next(members.begin.begin(), members.begin.end() - 1);
  for (uint32_t i = 0; i < sets.first.size(); ++i) {
    for (uint32_t s = sets.first[i]; s <= sets.last[i] && sets.holds(i); ++s) {
      members.items[next[s]++] = i;
    }
  }
  return members;
}

namespace {

// For each live set the bytes that the overlaps in it can save at most. The two sides of an overlap
// live together at one step only, and so in one set only.
std::vector<uint64_t> savings(const PackProblem& problem, const LiveSets& sets) {
  struct Shared {
    uint64_t inputs_bytes = 0;
    int64_t lead_bytes = INT64_MAX;
  };
  std::map<uint32_t, Shared> outputs;
  for (const Overlap& overlap : problem.overlaps) {
    Shared& shared = outputs[overlap.output];
    shared.inputs_bytes += problem.items[overlap.input].size_bytes;
    shared.lead_bytes = std::min(shared.lead_bytes, overlap.lead_bytes);
  }
  std::vector<uint64_t> saved(sets.count, 0);
  for (const auto& [output, shared] : outputs) {
    if (!sets.holds(output)) continue;
    saved[sets.first[output]] +=
        saved_bytes_max(shared.inputs_bytes, problem.items[output].size_bytes, shared.lead_bytes);
  }
  return saved;
}

// The largest padding of an item in each set.
std::vector<uint64_t> largest_paddings(const PackProblem& problem, const LiveSets& sets,
                                       uint64_t unit) {
  std::vector<uint64_t> largest(sets.count, 0);
  if (unit == 1) return largest;
  std::vector<std::vector<uint64_t>> come(sets.count + 1), go(sets.count + 1);
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    const uint64_t size = problem.items[i].size_bytes;
    if (!sets.holds(i) || size % unit == 0) continue;
    come[sets.first[i]].push_back(align_up(size, unit) - size);
    go[sets.last[i] + 1].push_back(align_up(size, unit) - size);
  }
  std::multiset<uint64_t> live;
  for (uint32_t s = 0; s < sets.count; ++s) {
    live.insert(come[s].begin(), come[s].end());
    for (const uint64_t padding : go[s]) live.erase(live.find(padding));
    if (!live.empty()) largest[s] = *live.rbegin();
  }
  return largest;
}

// For items without gaps.
uint64_t solid_bound(const PackProblem& problem, const LiveSets& sets) {
  uint64_t unit = 0;
  uint64_t bound = 0;
  for (const Item& item : problem.items) {
    unit = std::gcd(unit, item.alignment);
    if (!item.fixed) continue;
    unit = std::gcd(unit, item.fixed->offset);
    bound = std::max(bound, item.fixed->offset + item.size_bytes);
  }
  unit = std::max<uint64_t>(unit, 1);
  const std::vector<uint64_t> saved = savings(problem, sets);
  const std::vector<uint64_t> bytes =
      sets.sums([&](uint32_t i) { return problem.items[i].size_bytes; });
  const std::vector<uint64_t> padded =
      sets.sums([&](uint32_t i) { return align_up(problem.items[i].size_bytes, unit); });
  const std::vector<uint64_t> padding = largest_paddings(problem, sets, unit);
  for (uint32_t s = 0; s < sets.count; ++s) {
    // Padding is no bound where items share bytes: it may be what is shared.
    bound = std::max(bound, saved[s] == 0 ? padded[s] - padding[s] : bytes[s] - saved[s]);
  }
  return bound;
}

}  // namespace

PackProblem uses_apart(const PackProblem& problem, std::vector<uint32_t>& owner) {
  PackProblem apart;
  owner.clear();
  std::vector<std::vector<Use>> uses;
  std::vector<uint32_t> first_part;  // of each item
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    uses.push_back(item.solid ? std::vector<Use>{{item.lifetime, {0, item.size_bytes}}}
                              : item.uses);
    first_part.push_back(static_cast<uint32_t>(apart.items.size()));
    for (const Use& use : uses.back()) {
      Item part{.size_bytes = use.bytes.bytes(),
                .alignment = std::gcd(item.alignment, use.bytes.begin),
                .lifetime = use.steps,
                .fixed = item.fixed};
      if (part.fixed) part.fixed->offset += use.bytes.begin;
      apart.items.push_back(std::move(part));
      owner.push_back(i);
    }
  }
  // The two of an overlap meet at one step only: in the input's last use and the output's first.
  for (const Overlap& overlap : problem.overlaps) {
    if (uses[overlap.input].empty() || uses[overlap.output].empty()) continue;
    const Use& dying = uses[overlap.input].back();
    const Use& born = uses[overlap.output].front();
    if (dying.steps.last != born.steps.first) continue;
    const auto last_part =
        static_cast<uint32_t>(first_part[overlap.input] + uses[overlap.input].size() - 1);
    apart.overlaps.push_back({last_part, first_part[overlap.output],
                              overlap.lead_bytes + static_cast<int64_t>(dying.bytes.begin) -
                                  static_cast<int64_t>(born.bytes.begin)});
  }
  return apart;
}

uint64_t pack_bound(const PackProblem& problem, const LiveSets& sets) {
  if (!problem.has_gaps()) return solid_bound(problem, sets);
  std::vector<uint32_t> owner;
  const PackProblem apart = uses_apart(problem, owner);
  uint64_t bound = solid_bound(apart, find_live_sets(apart.items));
  for (const Item& item : problem.items) {
    bound = std::max(bound, (item.fixed ? item.fixed->offset : 0) + item.size_bytes);
  }
  return bound;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

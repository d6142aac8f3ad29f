// The maximal live sets of one memory: two items may not share bytes just when some set holds both.
#include "planner/memory/live_sets.h"

#include <algorithm>
#include <numeric>

namespace arenite::memory {
namespace {

std::vector<uint32_t> with_bytes(std::span<const PackItem> items) {
  std::vector<uint32_t> indices;
  for (uint32_t i = 0; i < items.size(); ++i) {
    if (items[i].size_bytes != 0) indices.push_back(i);
  }
  return indices;
}

}  // namespace

LiveSets find_live_sets(std::span<const PackItem> items) {
  std::vector<uint32_t> births = with_bytes(items);
  std::vector<uint32_t> deaths = births;
  std::stable_sort(births.begin(), births.end(), [&](uint32_t a, uint32_t b) {
    return items[a].lifetime.first < items[b].lifetime.first;
  });
  std::stable_sort(deaths.begin(), deaths.end(), [&](uint32_t a, uint32_t b) {
    return items[a].lifetime.last < items[b].lifetime.last;
  });

  LiveSets sets;
  sets.first.assign(items.size(), 1);
  sets.last.assign(items.size(), 0);
  std::size_t born = 0;
  for (std::size_t dead = 0; dead < deaths.size(); ++sets.count) {
    // All that is born before the next death, then the set is as large as it gets.
    const uint32_t death = items[deaths[dead]].lifetime.last;
    while (born < births.size() && items[births[born]].lifetime.first <= death) {
      sets.first[births[born++]] = sets.count;
    }
    // Deaths up to the next birth make only smaller sets.
    const bool more = born < births.size();
    const uint32_t birth = more ? items[births[born]].lifetime.first : 0;
    while (dead < deaths.size() && (!more || items[deaths[dead]].lifetime.last < birth)) {
      sets.last[deaths[dead++]] = sets.count;
    }
  }
  return sets;
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

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

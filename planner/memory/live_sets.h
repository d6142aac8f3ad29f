// The maximal live sets of one memory: two items may not share bytes just when some set holds both.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/pack.h"

namespace arenite::memory {

// Sets in order of time, none inside another: the maximal cliques of an interval graph, of which
// there are no more than items. Each item is in a stretch of them; items without bytes are in none.
struct LiveSets {
  uint32_t count = 0;
  std::vector<uint32_t> first;  // of each item: its first and last set;
  std::vector<uint32_t> last;   // first > last for an item in none

  bool holds(uint32_t item) const { return first[item] <= last[item]; }
};

LiveSets find_live_sets(std::span<const PackItem> items);

// The items of each set: many times more than there are items where many live long.
struct SetMembers {
  std::vector<uint32_t> begin;  // set s holds items[begin[s] .. begin[s + 1])
  std::vector<uint32_t> items;

  std::span<const uint32_t> of(uint32_t set) const {
    return std::span(items).subspan(begin[set], begin[set + 1] - begin[set]);
  }
};

SetMembers list_members(const LiveSets& sets);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// The maximal live sets of items, and the height that they prove no packing goes below.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "planner/memory/pack/pack.h"

namespace arenite::memory {

// Sets in order of time, none inside another: the maximal cliques of an interval graph, of which
// there are no more than lifetimes. Two items may not share bytes just when some set holds both.
//
//   a +------+             time ->    sets: {a, b}, {b, c}
//   b    +--------+                   each item is in a stretch of them
//   c          +------+
struct LiveSets {
  uint32_t count = 0;
  std::vector<uint32_t> first;  // of each item: its first and last set;
  std::vector<uint32_t> last;   // first > last for an item in none

  bool holds(uint32_t item) const { return first[item] <= last[item]; }

  // The sum of `amount(item)`, a uint64_t, over the items of each set.
  template <typename Amount>
  std::vector<uint64_t> sums(Amount amount) const {
    // Sums modulo 2^64 are right at every set, whatever they pass on the way.
    std::vector<uint64_t> change(count + 1, 0);
    for (uint32_t i = 0; i < first.size(); ++i) {
      if (!holds(i)) continue;
      const uint64_t more = amount(i);
      change[first[i]] += more;
      change[last[i] + 1] -= more;
    }
    std::partial_sum(change.begin(), change.end(), change.begin());
    change.pop_back();
    return change;
  }
};

LiveSets find_live_sets(std::span<const Lifetime> lifetimes);
LiveSets find_live_sets(std::span<const Item> items);  // those without bytes are in none

// The items of each set: many times more than there are items where many live long.
struct SetMembers {
  std::vector<uint32_t> begin;  // set s holds items[begin[s] .. begin[s + 1])
  std::vector<uint32_t> items;

  std::span<const uint32_t> of(uint32_t set) const {
    return std::span(items).subspan(begin[set], begin[set + 1] - begin[set]);
  }
};

SetMembers list_members(const LiveSets& sets);

// The height below which no packing goes: the largest of the ends of the fixed items, and for each
// live set the sum of its sizes, each padded to the largest number that divides all offsets, but
// for the padding of the topmost item, less what the overlaps of that step can save at most. With
// gaps the live sets are those of the bytes in use, and no item's size is above the bound.
uint64_t pack_bound(const PackProblem& problem, const LiveSets& sets);

// Makes each use of each item an item of its own: in any packing these share no bytes either, but
// for overlaps. `owner` gets the item of each. Uses of one item are never in one live set.
PackProblem uses_apart(const PackProblem& problem, std::vector<uint32_t>& owner);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

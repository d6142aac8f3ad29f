// The maximal live sets of one memory, and the height that they prove no packing goes below.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/pack/pack.h"

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

// The largest of: the ends of the fixed items, and for each live set the sum of its sizes, each
// padded to the largest number that divides all offsets, but for the padding of the topmost item,
// less what the overlaps of that step can save at most. With gaps the live sets are those of the
// bytes in use, and no item's size is above the bound.
uint64_t pack_bound(const PackProblem& problem, const LiveSets& sets);

// Each use of each item as an item of its own: in any packing these share no bytes either, but for
// overlaps. `owner` gets the item of each. Those of one item are never in one live set.
PackProblem uses_apart(const PackProblem& problem, std::vector<uint32_t>& owner);

// The sum of the sizes in each live set, each size rounded up to a multiple of `unit`.
std::vector<uint64_t> set_bytes(const PackProblem& problem, const LiveSets& sets, uint64_t unit);

// What an output may share at most with the inputs of its step, all its overlaps together:
// `inputs_bytes` is the sum of their sizes, `lead_bytes` the least of their leads.
uint64_t shared_bytes_max(uint64_t output_bytes, uint64_t inputs_bytes, int64_t lead_bytes);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// The height below which no packing of one memory can go.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/memory/live_sets.h"
#include "planner/memory/pack.h"

namespace arenite::memory {

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

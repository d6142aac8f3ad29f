// The height below which no packing of one memory can go.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/memory/live_sets.h"
#include "planner/memory/pack.h"

namespace arenite::memory {

// The largest of: the ends of the fixed items, and for each live set the sum of its sizes, each
// padded to the largest number that divides all offsets, but for the padding of the topmost item,
// less what the overlaps of that step can save at most.
uint64_t pack_bound(const PackProblem& problem, const LiveSets& sets);

// The sum of the sizes in each live set, each size rounded up to a multiple of `unit`.
std::vector<uint64_t> set_bytes(const PackProblem& problem, const LiveSets& sets, uint64_t unit);

// What an output may share at most with the inputs of its step, all its overlaps together:
// `inputs_bytes` is the sum of their sizes, `lead_bytes` the least of their leads.
uint64_t shared_bytes_max(uint64_t output_bytes, uint64_t inputs_bytes, int64_t lead_bytes);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Local search over orders of packing: moves what sticks out on top to an earlier place.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/memory/pack/in_order.h"
#include "planner/memory/pack/pack.h"
#include "planner/memory/problem/budget.h"
#include "support/random.h"

namespace arenite::memory {

// Begins with `order`, whose packing is `best`, and improves `best` until its height is `goal` or
// less, `rounds` moves brought nothing, or the budget is spent.
void local_search(const PackProblem& problem, OrderPacker& packer, std::vector<uint32_t> order,
                  uint64_t goal, uint32_t rounds, Random& random, Budget& budget, Packing& best);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Packs items that hang together in time: portfolio, then exact search or polish.
#pragma once

#include <cstdint>

#include "planner/memory/budget.h"
#include "planner/memory/pack.h"

namespace arenite::memory {

// Stops when the height is `goal` or less or within the problem's capacity. No result is higher
// than that of greedy by size, whatever the budget.
Packing pack_part(const PackProblem& problem, uint64_t goal, const PackLimits& limits,
                  Budget& budget);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

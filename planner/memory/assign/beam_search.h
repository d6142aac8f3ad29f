// Beam search through time with one partial assignment for each way to spread the live items.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/assign/assign.h"
#include "planner/memory/assign/lagrangian_bound.h"

namespace arenite::memory {

struct SweepLimits {
  uint32_t width = 1;             // partial assignments kept after each item
  double cost_max = kNotAllowed;  // only cheaper ones are of use
  const Watch* watch = nullptr;   // where it ends the sweep, that proves and finds nothing
};

// Branch and bound, all branches in step: items in order of birth, each into each memory that has
// room. Two branches that agree on the live items have the same future, so the cheaper one is
// kept; one is dropped when its cost and what the prices say of its rest reach `cost_max`. Where
// more than `width` are left the least promising go, and the result's bound takes note of them:
// with nothing dropped for width the result is optimal.
Assignment sweep(const AssignProblem& problem, const PeakSteps& sets, const Prices& prices,
                 std::span<const Cut> cuts, const SweepLimits& limits);

// The most items alive at one step: the length of a partial assignment.
uint32_t live_items_max(std::span<const Lifetime> lifetimes);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Beam search through time with one partial assignment for each way to spread the live items.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/assign/assign.h"
#include "planner/memory/assign/lagrangian_bound.h"

namespace arenite::memory {

struct BeamLimits {
  uint32_t width = 1;             // partial assignments kept after each item
  double cost_max = kNotAllowed;  // only cheaper ones are of use
  const Watch* watch = nullptr;   // where it ends the search, that proves and finds nothing
};

// Beam search with dominance; branch and bound where the beam is wide enough for all branches.
//   1. Items in order of birth, each into each memory that has room: one branch for each.
//   2. Dominance: two branches that agree on the live items have the same future, so the cheaper
//      one is kept.
//   3. Bound: a branch goes when its cost and its completion bound (lagrangian_bound.h) reach
//      `cost_max`.
//   4. Beam: where more than `width` are left the least promising go, and the result's bound takes
//      note of them. With nothing dropped for width the result is optimal.
//
//   time ->   a born    b born    a dies
//   fast      {a}   -   {a,b}  -  {b}      two rows that differ in a only are one from here on
//   slow      {}    -   {b}    -  {b}
//
// After: dominance as in dynamic programming over a path decomposition of the interval graph, whose
// bags are the live sets; beam as in Lowerre ("The HARPY speech recognition system", 1976).
Assignment beam_search(const AssignProblem& problem, const LiveSets& sets,
                       const Multipliers& multipliers, std::span<const Cut> cuts,
                       const BeamLimits& limits);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Proves how little traffic a plan can have, whatever its offsets.
#pragma once

#include <cstdint>

#include "planner/memory/problem/budget.h"
#include "planner/memory/problem/check.h"

namespace arenite::memory {

// A traffic cost that no plan goes below, whatever its offsets: a Lagrangian bound; where that is
// cheap to find, the least cost at which the live bytes fit. kNotAllowed: nothing fits.
double traffic_bound(const CheckedProblem& problem);

// Bytes x (reads + writes) that every plan has outside the first memory: proved like traffic_bound,
// whatever the memories' costs, and where that is less than `known_bytes`, which some plan has
// there, by cutting off what does not pack in the first memory (combinatorial Benders cuts; Codato
// and Fischetti, 2006).
//
//   first memory  +---+---+     live bytes fit at each step, and yet c has no place: {a, b, c} is a
//         ?  c    | a |   |     cut, and what it costs to leave one of them outside is in the bound
//                 +---| b |
//                     +---+
uint64_t slow_traffic_bound(const CheckedProblem& problem, uint64_t known_bytes,
                            const Watch* watch = nullptr);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

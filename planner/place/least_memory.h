// Finds how much larger one memory of a board must be for a plan to fit, and explains the shortage.
#pragma once

#include <optional>

#include "planner/place/placer.h"

namespace arenite::planner {

struct JobShortage {
  size_t job = 0;  // whose step is the worst
  Shortage shortage;
};

// `best` is the attempt that does not fit; where some size of one memory, the others as they are,
// lets a plan fit, it becomes the plan found with the least such size. The memory is the one that
// `best` ran out of; another one only where no size of that helps. Nothing where a plan turned up
// that fits as it is.
std::optional<JobShortage> find_least_memory(std::span<const PlaceJob> jobs, const Board& board,
                                             memory::Algorithm algorithm,
                                             const Constrain& constrain, Attempt& best);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

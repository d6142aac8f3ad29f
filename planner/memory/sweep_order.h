// The order in which a sweep meets items, and a slot for each while it lives.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/memory/assign.h"

namespace arenite::memory {

// When items come and go, and the slot that each has while it lives.
struct SweepOrder {
  std::vector<uint32_t> births;             // items in the order of the sweep
  std::vector<std::vector<uint32_t>> gone;  // [place in births]: items dead since the last one
  std::vector<uint32_t> slot_of;            // by item
  uint32_t slots = 0;
};

// Items that may share when they are born come last among those of one birth: the check of what is
// live after the step, made when one is added, then sees all of them.
SweepOrder make_sweep_order(const AssignProblem& problem);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Places items in several memories so that traffic costs least: choose memories, pack, cut, repeat.
#pragma once

#include <cstdint>

#include "planner/memory/greedy/greedy.h"
#include "planner/memory/pack/pack.h"

namespace arenite::memory {

struct PlaceLimits {
  uint64_t assign_work_max = 60'000'000;  // see AssignLimits, over all rounds
  PackLimits pack;                        // of the last packing of each memory
};

// Never costs more traffic than greedy by size, which it starts from. An item that fits nowhere is
// put past the end of a memory, see ItemPlan.
//   1. choose memories without offsets (assign.h);
//   2. pack each memory (pack.h);
//   3. where one does not pack, cut its items off as a set that may not be there together (logic-
//      based Benders decomposition; Hooker and Ottosson, 2003), made smaller first towards an
//      irreducible infeasible subset by leaving items out one by one, and choose again;
//   4. where cuts run out, leave the memories that fail less room, and choose again;
//   5. pack the memories chosen as low as a little more work allows.
// One memory has no choice: a linear scan, greedy by size where there are very many items or a
// deadline, then pack.h, each as far as the time goes, and the lowest of them. A run with more time
// begins with what one with less does, so that it never ends higher.
ItemPlan place_search(const CheckedProblem& problem, const PlaceLimits& limits);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

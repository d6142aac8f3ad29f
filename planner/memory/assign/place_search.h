// Places items in several memories so that traffic costs least: choose memories, pack, cut, repeat.
#pragma once

#include <cstdint>
#include <span>

#include "planner/memory/greedy/greedy.h"
#include "planner/memory/items.h"
#include "planner/memory/pack/pack.h"
#include "planner/memory/problem.h"

namespace arenite::memory {

struct PlaceLimits {
  uint64_t assign_work_max = 60'000'000;  // see AssignLimits, over all rounds
  PackLimits pack;                        // of the last packing of each memory
};

// Never costs more traffic than greedy by size, which it starts from; `validate` must accept the
// problem. An item that fits nowhere is put past the end of a memory, see ItemPlan.
ItemPlan place_search(const Problem& problem, std::span<const Item> items,
                      const PlaceLimits& limits);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

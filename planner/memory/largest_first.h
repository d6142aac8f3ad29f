// Places items largest first, each in the first of its memories where a gap rule finds it room.
#pragma once

#include <cstdint>
#include <span>

#include "planner/memory/offset_order.h"
#include "planner/memory/placers.h"

namespace arenite::memory {

// The offset, a multiple of `alignment`, for `size_bytes` among the obstacles of one memory, which
// are in offset order: one where it meets none of them, at the end of the memory or beyond it where
// there is no other.
using GapRule = uint64_t (*)(std::span<const Obstacle> obstacles, uint64_t size_bytes,
                             uint64_t alignment);

// Fixed items stay where they are. Of items of one size the one born first goes first, then the
// one with the lower index.
ItemPlan place_largest_first(const Problem& problem, std::span<const Item> items, GapRule gap_rule);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Places items largest first, each in the first of its memories where a rule finds a hole for it.
#pragma once

#include <cstdint>
#include <span>

#include "planner/memory/holes.h"
#include "planner/memory/placers.h"
#include "planner/memory/watch.h"

namespace arenite::memory {

// Fixed items stay where they are. Of items of one size the one born first goes first, then the
// one with the lower index.
// Where `watch`, which may be null, ends it, all is placed by linear scan instead.
ItemPlan place_largest_first(const Problem& problem, std::span<const Item> items,
                             HoleRule hole_rule, const Watch* watch);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

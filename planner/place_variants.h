// Places the variants of all methods in the memories of their boards.
#pragma once

#include "planner/make_variants.h"

namespace arenite::planner {

// Each variant once, those of methods whose tensors a user ties together; again only where
//   1. fewer bytes live at once with its passes but it takes more: in its native layout and order;
//   2. it does not fit: in the least memory that would do (place/least_memory.h).
// Sets barriers, reports and shortages.
void place_variants(Planning& planning);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

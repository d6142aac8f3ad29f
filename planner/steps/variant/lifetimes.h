// Says from which step to which each storage of a variant holds data.
#pragma once

#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// Steps run in their order. Inputs are there from the start, to the end with `keep_inputs`; states
// and outputs live to the end; a view step uses its operand like any other; scratch lives at its
// step.
void set_lifetimes(Schedule& plan, bool keep_inputs);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

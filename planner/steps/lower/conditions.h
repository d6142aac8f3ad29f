// Finds steps that some runs need not carry out.
#pragma once

#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// Gives each step the conditions without which nobody needs what it makes: all that read it choose
// by a single bool (where), or are such steps themselves. Only bools that are known before the step
// count, in the order in which the steps are now.
void set_conditions(Schedule& schedule);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Says what an option of a step costs, as the board's file has it measured.
#pragma once

#include <cstdint>
#include <string>

#include "core/format.h"
#include "planner/board/costs.h"
#include "planner/steps/decide/assignment.h"
#include "planner/steps/lower/lower.h"

namespace arenite::planner {

// "Conv.float32" of a CPU form, "Conv.vulkan".
std::string option_name(const Form& form, format::Where where);

// Elementary operations that the step takes.
uint64_t units_of(const ScheduledStep& step);

assignment::Cost measured(const MeasuredCost& cost, uint64_t units);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Says what an option of a step costs, as the board's file has it measured.
#pragma once

#include <cstdint>
#include <string>

#include "core/format.h"
#include "planner/board/costs.h"
#include "planner/graph/step_size.h"
#include "planner/steps/decide/assignment.h"
#include "planner/steps/lower/lower.h"

namespace arenite::planner {

// "Conv.float32" of a CPU form, "Conv.vulkan".
std::string option_name(const Form& form, format::Where where);

// Picoseconds of a step, by the cost of its form.
double picoseconds(const MeasuredCost& cost, const StepSize& size);

// The cost of a step by an option; null where the board's file has none of it.
const MeasuredCost* find_cost(const StepCosts& costs, const std::string& option,
                              const ScheduledStep& step);

assignment::Cost measured(const MeasuredCost& cost, const ScheduledStep& step);
// The same for a transfer of so many bytes.
assignment::Cost measured(const MeasuredCost& cost, uint64_t bytes);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

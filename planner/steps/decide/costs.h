// What an option of a step costs: as measured, or by the order of rows.
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

// The cost where nothing is measured: a later row costs more than any machine of an earlier one,
// and the CPU more than a device.
assignment::Cost cost_by_rank(uint32_t row, format::Where where);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

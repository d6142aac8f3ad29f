// Tries what could make a plan fit that does not, and says what each trial gave.
#pragma once

#include <vector>

#include "planner/plan.h"

namespace arenite::planner {

// Plans again, board by board, with one option changed at a time: another memory planner, no passes
// disabled, inputs and outputs left to the caller, one image alone. Changes that help are added to
// the advice of the report's shortages.
void add_advice(const std::vector<NamedGraph>& graphs, const PlanOptions& options,
                PlanReport& report);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

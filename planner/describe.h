// Fills a variant's report from its finished plan: arenas, steps, and what each tensor is.
#pragma once

#include "planner/report/report.h"
#include "planner/variant/variant.h"

namespace arenite::planner {

// `report.memories` is that of the plan's residents.
void describe(const VariantPlan& plan, VariantReport& report);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

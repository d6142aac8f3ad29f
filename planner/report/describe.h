// A variant's report of its finished plan: arenas, steps, and what each tensor is.
#pragma once

#include <string>

#include "planner/place/place_variants.h"
#include "planner/report/report.h"

namespace arenite::planner {

VariantReport describe(const NamedGraph& method, const PlacedVariant& placed);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Names, for each arena value, the live value just below it: what lets the loader prove a plan in
// one pass (docs/format.md).
#pragma once

#include <cstdint>
#include <vector>

#include "core/format.h"

namespace arenite::planner {

// Fills below_or_root of the arena values in `values`, which stand in order of first_step and do
// not overlap while they live. Index 0 of the span is the variant's value 0.
void certify(std::vector<format::ValueRecord>& values);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

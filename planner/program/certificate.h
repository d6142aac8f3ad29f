// Names, for each arena value, the live value just below it: what lets the loader prove a plan in
// one pass (docs/format.md).
#pragma once

#include <cstdint>
#include <vector>

#include "core/format.h"

namespace arenite::planner {

// When a value is born, in the loader's count: inputs of the method at 0, what step s writes at
// s + 1.
uint32_t birth_of(const format::ValueRecord& value, bool is_input);

// Fills below_or_root of the arena values in `values`, which stand in order of birth and do not
// overlap while they live (docs/format.md); `is_input` says which are inputs of the method. Index 0
// of the span is the variant's value 0.
void certify(std::vector<format::ValueRecord>& values, const std::vector<bool>& is_input);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// How many steps of a program compute with integers what numbers stand for, and how many still with
// numbers between quantised values: as a plan counts its nodes, from the program alone.
#pragma once

#include <cstdint>
#include <optional>

#include "core/program.h"

namespace arenite::planner {

struct QuantisedCounts {
  uint32_t integer_steps = 0, float_steps = 0;
};

// Nothing where a variant has neither. Copies, views and transfers do not count: they compute
// nothing.
std::optional<QuantisedCounts> count_quantised(const Program& program,
                                               const format::VariantRecord& variant);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

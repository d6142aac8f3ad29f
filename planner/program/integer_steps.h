// Counts the steps of a program that compute quantized values with integers, and those that still
// compute with floats between quantized values. It counts as a plan does, from the program alone.
#pragma once

#include <cstdint>
#include <optional>

#include "core/program.h"

namespace arenite::planner {

struct QuantizedCounts {
  uint32_t integer_steps = 0, float_steps = 0;
};

// Nothing where a variant has neither. Copies, views and transfers do not count: they compute
// nothing.
std::optional<QuantizedCounts> count_quantized(const Program& program,
                                               const format::VariantRecord& variant);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

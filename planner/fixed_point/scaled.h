// Scaled integers, and the numbers of integer steps that are the same for every rounding rule.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/types.h"
#include "ops/attributes.h"
#include "ops/requantisation.h"
#include "planner/fixed_point/multiplier.h"

namespace arenite::planner {

// Integers of one tensor stand for (integer - zero_point) * scale. The scale is finite and above 0;
// dtype is int8, uint8, int16 or uint16, of some operands int32.
struct Scaled {
  DType dtype = DType::kNone;
  float scale = 1;
  int32_t zero_point = 0;

  bool operator==(const Scaled&) const = default;
};

// The greatest distance of an integer from the zero point.
inline int64_t reach(const Scaled& x) {
  const IntegerRange range = range_of(x.dtype);
  return std::max(int64_t{range.high} - x.zero_point, int64_t{x.zero_point} - range.low);
}

// The least and the greatest of integers.
using Limits = IntegerRange;

// The limits that a clip to [low, high] leaves of `y`; infinities are no bounds.
Limits limits_of(const Scaled& y, float low, float high, Rounding rounding);

// `output`: the end of a step that makes integers of scale `y`.
QuantizedMulAttributes mul_attributes(const Scaled& a, const Scaled& b, float y,
                                      const Requantisation& output);
RequantizeAttributes requantize_attributes(const Scaled& x, float y, const Requantisation& output);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// The result that an integer step has to make, and the numbers of such steps that every rounding
// rule shares.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "ops/attributes.h"
#include "ops/requantization.h"
#include "planner/fixed_point/multiplier.h"
#include "planner/graph/quantization.h"

namespace arenite::planner {

// The greatest distance of an integer from the zero point.
inline int64_t reach(const Scaled& x) {
  const IntegerRange range = range_of(x.dtype);
  return std::max(int64_t{range.high} - x.zero_point, int64_t{x.zero_point} - range.low);
}

// The least and the greatest of integers.
using Limits = IntegerRange;

// A step has to make integers `y` of numbers clipped to [low, high]. It takes the place of a
// quantize node and rounds as that node says.
struct Wanted {
  Scaled y;
  Rounding rounding = Rounding::kHalfEven;
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();

  bool is_tflite() const { return rounding != Rounding::kHalfEven; }
  // Whether the result is LiteRT's to define: TensorFlow Lite's kernels for microcontrollers have
  // few of uint8.
  bool is_litert() const { return is_tflite() && y.dtype == DType::kUint8; }
};

// The limits that the clip leaves of `y`; infinities are no bounds.
Limits limits_of(const Wanted& wanted);
// The end of the step.
Requantization requantization(const Wanted& wanted);

// The attributes of a sum, but for multipliers and shifts.
QuantizedAddAttributes sum_without_factors(const Wanted& wanted, const Scaled& a, const Scaled& b,
                                           SumKind kind);
RequantizeAttributes requantize_attributes(const Wanted& wanted, const Scaled& x);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Rounds the bounds of clips to integers, and divides scales.
#include "planner/fixed_point/scaled.h"

#include <algorithm>
#include <cmath>

namespace arenite::planner {

Limits limits_of(const Wanted& wanted) {
  const Scaled& y = wanted.y;
  const Limits all = range_of(y.dtype);
  const auto quantized = [&](float bound, int32_t otherwise) {
    if (std::isinf(bound) || std::isnan(bound)) return otherwise;
    // In double: the quotient of float32, and the zero point added to it, are exact there.
    const double quotient = double{bound / y.scale};
    const double whole = wanted.is_tflite() ? std::round(quotient) : std::nearbyint(quotient);
    return static_cast<int32_t>(std::clamp(whole + y.zero_point, static_cast<double>(all.low),
                                           static_cast<double>(all.high)));
  };
  return {quantized(wanted.low, all.low), quantized(wanted.high, all.high)};
}

Requantization requantization(const Wanted& wanted) {
  const Limits limits = limits_of(wanted);
  const Rounding tflite = wanted.is_litert() ? Rounding::kFloat32 : Rounding::kTfliteDouble;
  return {wanted.is_tflite() ? tflite : Rounding::kHalfEven, wanted.y.zero_point, limits.low,
          limits.high};
}

QuantizedAddAttributes sum_without_factors(const Wanted& wanted, const Scaled& a, const Scaled& b,
                                           SumKind kind) {
  QuantizedAddAttributes attributes = {};
  attributes.kind = kind;
  attributes.zero_points[0] = a.zero_point;
  attributes.zero_points[1] = b.zero_point;
  attributes.output = requantization(wanted);
  return attributes;
}

RequantizeAttributes requantize_attributes(const Wanted& wanted, const Scaled& x) {
  const Multiplier factor = quantized_multiplier(double{x.scale} / double{wanted.y.scale});
  return {x.zero_point, factor.multiplier, factor.shift, requantization(wanted)};
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

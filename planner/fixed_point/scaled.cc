// Makes limits of clips, and the multipliers of products and of other scales.
#include "planner/fixed_point/scaled.h"

#include <algorithm>
#include <cmath>

namespace arenite::planner {

Limits limits_of(const Scaled& y, float low, float high, Rounding rounding) {
  const Limits all = range_of(y.dtype);
  const auto quantised = [&](float bound, int32_t otherwise) {
    if (std::isinf(bound) || std::isnan(bound)) return otherwise;
    // In double: the quotient of float32, and the zero point added to it, are exact there.
    const double quotient = double{bound / y.scale};
    const double whole =
        rounding == Rounding::kHalfEven ? std::nearbyint(quotient) : std::round(quotient);
    return static_cast<int32_t>(std::clamp(whole + y.zero_point, static_cast<double>(all.low),
                                           static_cast<double>(all.high)));
  };
  return {quantised(low, all.low), quantised(high, all.high)};
}

QuantizedMulAttributes mul_attributes(const Scaled& a, const Scaled& b, float y,
                                      const Requantisation& output) {
  const Multiplier factor = quantised_multiplier(double{a.scale} * double{b.scale} / double{y});
  return {{a.zero_point, b.zero_point}, factor.multiplier, factor.shift, output};
}

RequantizeAttributes requantize_attributes(const Scaled& x, float y, const Requantisation& output) {
  const Multiplier factor = quantised_multiplier(double{x.scale} / double{y});
  return {x.zero_point, factor.multiplier, factor.shift, output};
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

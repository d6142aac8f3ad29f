// Reads the factor and zero points of a product that is rounded once from its step.
#include "portable_fallback/shared/integer_pairs_even.h"

#include "ops/attributes.h"
#include "portable_fallback/shared/even_factor.h"

namespace arenite {

bool takes_even_pairs(const Step& step) {
  const auto attributes = step.attributes<QuantizedMulAttributes>();
  return attributes.output.rounding == Rounding::kHalfEven && is_even_factor(attributes.shift);
}

EvenPairs even_pairs(const Step& step) {
  const auto attributes = step.attributes<QuantizedMulAttributes>();
  return {{attributes.zero_points[0], attributes.zero_points[1]},
          even_factor(attributes.multiplier, attributes.shift),
          attributes.output.zero_point,
          attributes.output.low,
          attributes.output.high,
          step.dtype(0) == DType::kUint8};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

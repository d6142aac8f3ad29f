// Reads the factor and zero points of a product of two inputs from its step.
#include "portable_fallback/shared/integer_pairs.h"

#include "ops/attributes.h"

namespace arenite {

bool takes_integer_pairs(const Step& step) {
  return step.attributes<QuantizedMulAttributes>().output.rounding == Rounding::kTfliteDouble;
}

IntegerPairs integer_pairs(const Step& step) {
  const auto by = step.attributes<QuantizedMulAttributes>();
  const bool is_signed = step.dtype(0) == DType::kInt8;
  const int32_t above = is_signed ? -128 : 0;
  return {{by.multiplier, by.shift},
          is_signed ? 0x80u : 0u,
          {above - by.zero_points[0], above - by.zero_points[1]},
          by.output.zero_point,
          by.output.low,
          by.output.high};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

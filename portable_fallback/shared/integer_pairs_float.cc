// Makes a float of a factor, which has a power of two that is normal.
#include "portable_fallback/shared/integer_pairs_float.h"

#include <bit>

#include "ops/attributes.h"
#include "ops/requantization.h"

namespace arenite {

static_assert(127 + kShiftMin - 31 > 0);

bool takes_float_pairs(const Step& step) {
  return step.attributes<QuantizedMulAttributes>().output.rounding == Rounding::kFloat32;
}

FloatPairs float_pairs(const Step& step) {
  const auto attributes = step.attributes<QuantizedMulAttributes>();
  const auto power = std::bit_cast<float>(static_cast<uint32_t>(127 + attributes.shift - 31) << 23);
  return {{attributes.zero_points[0], attributes.zero_points[1]},
          static_cast<float>(attributes.multiplier) * power,
          attributes.output.zero_point,
          attributes.output.low,
          attributes.output.high,
          step.dtype(0) == DType::kUint8};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Requantisation in integers of 128 bits.
#include "tests/ops/requantised.h"

#include <algorithm>

namespace arenite::ops_test {
namespace {

__extension__ using Int128 = __int128;

enum class Ties { kUp, kAway, kEven };

Int128 saturated(Int128 value, int bits) {
  const Int128 most = (Int128{1} << (bits - 1)) - 1;
  return std::clamp(value, -most - 1, most);
}

// value / 2^exponent, to the nearest.
Int128 divided(Int128 value, int exponent, Ties ties) {
  if (exponent <= 0) return value << -exponent;
  const Int128 whole = value >> exponent;  // towards minus infinity
  const Int128 rest = value - (whole << exponent);
  const Int128 half = Int128{1} << (exponent - 1);
  if (rest != half) return whole + (rest > half ? 1 : 0);
  if (ties == Ties::kEven) return whole + (whole & 1);
  return whole + (ties == Ties::kUp || value > 0 ? 1 : 0);
}

Int128 rounded(const Requantised& product, Rounding rounding) {
  const auto multiplier = static_cast<Int128>(product.multiplier);
  const auto shift = static_cast<int>(product.shift);
  auto sum = static_cast<Int128>(product.sum);
  const int within = std::clamp(shift, -63, 31);
  if (product.wide) {
    sum = saturated(sum, 48);
    if (rounding == Rounding::kHalfEven) return divided(sum * multiplier, 31 - within, Ties::kEven);
    const Int128 reduced = std::min(divided(multiplier, 16, Ties::kUp), Int128{0x7fff});
    return divided(sum * reduced, 15 - within, Ties::kUp);
  }
  if (rounding != Rounding::kTfliteDouble) {
    const Ties ties = rounding == Rounding::kHalfEven ? Ties::kEven : Ties::kUp;
    return divided(sum * multiplier, 31 - within, ties);
  }
  const Int128 shifted = saturated(sum << std::max(within, 0), 32);
  const Int128 high = divided(shifted * multiplier, 31, Ties::kUp);
  return divided(high, std::max(-within, 0), Ties::kAway);
}

}  // namespace

Number rounded_product(const Requantised& product, Rounding rounding) {
  return static_cast<Number>(saturated(rounded(product, rounding), 32));
}

Number finished_product(const Requantised& product, const Requantisation& output) {
  const Number moved = rounded_product(product, output.rounding) + output.zero_point;
  return std::min(std::max(moved, static_cast<Number>(output.low)),
                  static_cast<Number>(output.high));
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

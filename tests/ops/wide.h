// Requantization by its definition, in 128 bits: what oracles of quantized operators compute with.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/attributes.h"

namespace arenite::ops_test {

// NOLINTNEXTLINE(google-runtime-int): as wide as compilers have them.
__extension__ using Wide = __int128;

enum class Halves { kUp, kEven, kAway };

inline Wide limited(Wide value, Wide low, Wide high) {
  return value < low ? low : value > high ? high : value;
}
inline int32_t to_int32(Wide value) {
  return static_cast<int32_t>(limited(value, -(Wide{1} << 31), (Wide{1} << 31) - 1));
}

// value / divisor (above 0), to the nearest.
inline Wide quotient(Wide value, Wide divisor, Halves halves) {
  const Wide whole = value / divisor - (value % divisor != 0 && value < 0 ? 1 : 0);  // downwards
  const Wide twice = 2 * (value - whole * divisor);
  if (twice != divisor) return twice > divisor ? whole + 1 : whole;
  if (halves == Halves::kEven) return whole + (whole % 2 != 0 ? 1 : 0);
  return halves == Halves::kUp || value > 0 ? whole + 1 : whole;
}

// value / 2^exponent, of any sign.
inline Wide scaled(Wide value, int32_t exponent, Halves halves) {
  if (exponent <= 0) return value * (Wide{1} << -exponent);
  return exponent > 120 ? 0 : quotient(value, Wide{1} << exponent, halves);
}

// Rounds to the nearest number of 24 bits; of two, to the even one.
inline Wide to_float32(Wide value) {
  const Wide magnitude = value < 0 ? -value : value;
  int32_t exponent = 0;
  while (magnitude >> exponent >= Wide{1} << 24) ++exponent;
  return scaled(value, exponent, Halves::kEven) * (Wide{1} << exponent);
}

// sum * multiplier * 2^(shift - 31), of a sum of 32 bits.
inline int32_t requantized_by_definition(int32_t sum, int32_t multiplier, int32_t shift,
                                         Rounding rounding) {
  shift = std::clamp(shift, -63, 31);
  if (rounding == Rounding::kFloat32) {
    const Wide product = to_float32(to_float32(sum) * to_float32(multiplier));
    return to_int32(scaled(product, 31 - shift, Halves::kEven));
  }
  if (rounding != Rounding::kTfliteDouble) {
    return to_int32(scaled(Wide{sum} * multiplier, 31 - shift,
                           rounding == Rounding::kHalfEven ? Halves::kEven : Halves::kUp));
  }
  const int32_t shifted = shift > 0 ? to_int32(Wide{sum} << shift) : sum;
  const int32_t high = to_int32(scaled(Wide{shifted} * multiplier, 31, Halves::kUp));
  return shift > 0 ? high : to_int32(scaled(high, -shift, Halves::kAway));
}

// The same of a sum of 64 bits.
inline int32_t requantized_by_definition(int64_t sum, int32_t multiplier, int32_t shift,
                                         Rounding rounding) {
  shift = std::clamp(shift, -63, 31);
  const Wide limit = Wide{1} << 47;
  const Wide limited_sum = limited(sum, -limit, limit - 1);
  if (rounding == Rounding::kHalfEven) {
    return to_int32(scaled(limited_sum * multiplier, 31 - shift, Halves::kEven));
  }
  const Wide reduced = limited(scaled(multiplier, 16, Halves::kUp), 0, 0x7fff);
  return to_int32(scaled(limited_sum * reduced, 15 - shift, Halves::kUp));
}

inline int32_t moved_and_limited(Wide number, const Requantization& output) {
  return to_int32(limited(number + output.zero_point, output.low, output.high));
}

// The result that a step makes of a sum of so many bits.
template <typename Sum>
int32_t finished_by_definition(Sum sum, int32_t multiplier, int32_t shift,
                               const Requantization& output) {
  return moved_and_limited(requantized_by_definition(sum, multiplier, shift, output.rounding),
                           output);
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0

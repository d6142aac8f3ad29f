// From sums of products to integers of fewer bits: the product with a multiplier m * 2^(shift -
// 31), rounded by one of four rules.
//
// kTfliteDouble and kTfliteSingle are those of TensorFlow Lite's reference kernels (Jacob et al.,
// arXiv 1712.05877, section 2.2), bit for bit where these define a result; what overflows there
// saturates here. kFloat32 is what processors with IEEE 754 arithmetic give, in integers.
#pragma once

#include <cstdint>
#include <limits>

#include "ops/attributes.h"
#include "ops/requantization.h"

namespace arenite {

constexpr int32_t saturated_int32(int64_t value) {
  using Limits = std::numeric_limits<int32_t>;
  if (value < Limits::lowest()) return Limits::lowest();
  return value > Limits::max() ? Limits::max() : static_cast<int32_t>(value);
}

// The upper half of 2 * a * b, rounded: to the nearest, halves up.
inline int32_t doubling_high_product(int32_t a, int32_t b) {
  using Limits = std::numeric_limits<int32_t>;
  if (a == Limits::lowest() && b == Limits::lowest()) return Limits::max();
  const int64_t product = int64_t{a} * b;
  return static_cast<int32_t>((product + (int64_t{1} << 30)) >> 31);
}

// value / 2^exponent, halves away from zero; exponent in [0, 32].
constexpr int32_t rounded_shift_away(int32_t value, int32_t exponent) {
  if (exponent > 31) return value == std::numeric_limits<int32_t>::lowest() ? -1 : 0;
  const uint32_t mask = (uint32_t{1} << exponent) - 1;
  const uint32_t half = (mask >> 1) + (value < 0 ? 1u : 0u);
  return (value >> exponent) + ((static_cast<uint32_t>(value) & mask) > half ? 1 : 0);
}

// value * 2^exponent, saturating; exponent in [0, 31].
constexpr int32_t saturated_shift(int32_t value, int32_t exponent) {
  using Limits = std::numeric_limits<int32_t>;
  const auto shifted = static_cast<int32_t>(static_cast<uint32_t>(value) << exponent);
  if (shifted >> exponent == value) return shifted;
  return value < 0 ? Limits::lowest() : Limits::max();
}

// value / 2^exponent, halves up; exponent in [1, 63].
inline int64_t rounded_shift_up(int64_t value, int32_t exponent) {
  return (value >> exponent) + (value >> (exponent - 1) & 1);
}

// The same, halves to even; exponent in [1, 63].
inline int64_t rounded_shift_even(int64_t value, int32_t exponent) {
  const int64_t whole = value >> exponent;
  const uint64_t rest = static_cast<uint64_t>(value) << (64 - exponent);
  constexpr uint64_t kHalf = uint64_t{1} << 63;
  return whole + (rest > kHalf || (rest == kHalf && (whole & 1) != 0) ? 1 : 0);
}

// value / 2^exponent, halves to even with kHalfEven, else up, saturating; exponent is at least -31.
inline int32_t scaled_down(int64_t value, int32_t exponent, Rounding rounding) {
  if (exponent > 63) return 0;  // at most half of one
  if (exponent <= 0) return saturated_int32(int64_t{saturated_int32(value)} << -exponent);
  return saturated_int32(rounding == Rounding::kHalfEven ? rounded_shift_even(value, exponent)
                                                         : rounded_shift_up(value, exponent));
}

constexpr int32_t limited_shift(int32_t shift) {
  if (shift < kShiftMin) return kShiftMin;
  return shift > kShiftMax ? kShiftMax : shift;
}

// The same product in float32, rounded, halves to even, saturating; shift within its limits.
int32_t requantized_in_float32(int32_t sum, int32_t multiplier, int32_t shift);

// The product rounded as kTfliteDouble: its upper half, then the quotient.
inline int32_t requantized_twice(int32_t sum, int32_t multiplier, int32_t shift) {
  shift = limited_shift(shift);
  const int32_t left = shift > 0 ? shift : 0;
  const int32_t right = shift > 0 ? 0 : -shift;
  const int32_t product = doubling_high_product(saturated_shift(sum, left), multiplier);
  return rounded_shift_away(product, right < 32 ? right : 32);
}

// sum * multiplier * 2^(shift - 31), rounded, saturating; the multiplier is not negative.
inline int32_t requantized(int32_t sum, int32_t multiplier, int32_t shift, Rounding rounding) {
  shift = limited_shift(shift);
  if (rounding == Rounding::kFloat32) return requantized_in_float32(sum, multiplier, shift);
  if (rounding != Rounding::kTfliteDouble) {
    return scaled_down(int64_t{sum} * multiplier, 31 - shift, rounding);
  }
  return requantized_twice(sum, multiplier, shift);
}

// The same of sums of 64 bits, which saturate at 48: kHalfEven keeps the whole multiplier, the
// others round it to 16 bits.
inline int32_t requantized(int64_t sum, int32_t multiplier, int32_t shift, Rounding rounding) {
  constexpr int64_t kSumEnd = int64_t{1} << 47;
  if (sum >= kSumEnd) sum = kSumEnd - 1;
  if (sum < -kSumEnd) sum = -kSumEnd;
  shift = limited_shift(shift);
  if (rounding != Rounding::kHalfEven) {
    const int32_t reduced = multiplier < 0x7fff0000 ? (multiplier + (1 << 15)) >> 16 : 0x7fff;
    return scaled_down(sum * reduced, 15 - shift, Rounding::kTfliteSingle);
  }
  // The product has up to 78 bits: high * 2^16 and the lower 16 of low.
  const int64_t low = (sum & 0xffff) * int64_t{multiplier};
  const int64_t high = (sum >> 16) * int64_t{multiplier} + (low >> 16);
  const int64_t rest = low & 0xffff;
  if (shift > 14) {
    if (high != saturated_int32(high)) return saturated_int32(high);
    return scaled_down(high * (1 << 16) + rest, 31 - shift, rounding);
  }
  // The lower bits lie behind the half: it only matters whether one of them is set.
  const auto doubled = static_cast<int64_t>(static_cast<uint64_t>(high) << 1);
  return scaled_down(doubled | (rest != 0 ? 1 : 0), 16 - shift, rounding);
}

// A number of the result's scale, moved by the zero point, within its limits.
inline int32_t limited_result(int32_t number, const Requantization& output) {
  const int64_t moved = int64_t{number} + output.zero_point;
  if (moved < output.low) return output.low;
  return moved > output.high ? output.high : static_cast<int32_t>(moved);
}

// A sum's result: requantized, moved by the zero point, within its limits.
template <typename Sum>
int32_t finished(Sum sum, int32_t multiplier, int32_t shift, const Requantization& output) {
  return limited_result(requantized(sum, multiplier, shift, output.rounding), output);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

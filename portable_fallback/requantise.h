// From sums of products to integers of fewer bits: the product with a multiplier m * 2^(shift -
// 31), rounded by one of three rules.
//
// kTfliteDouble and kTfliteSingle are those of TensorFlow Lite's reference kernels (Jacob et al.,
// arXiv 1712.05877, section 2.2), bit for bit where these define a result; what overflows there
// saturates here.
#pragma once

#include <cstdint>
#include <limits>

#include "ops/attributes.h"

namespace arenite {

// Of shifts: beyond these every result is 0 or saturates.
inline constexpr int32_t kShiftMin = -63;
inline constexpr int32_t kShiftMax = 31;

inline int32_t saturated_int32(int64_t value) {
  using Limits = std::numeric_limits<int32_t>;
  if (value < Limits::lowest()) return Limits::lowest();
  return value > Limits::max() ? Limits::max() : static_cast<int32_t>(value);
}

// The upper half of 2 * a * b, rounded: to the nearest, halves up.
inline int32_t doubling_high_product(int32_t a, int32_t b) {
  using Limits = std::numeric_limits<int32_t>;
  if (a == Limits::lowest() && b == Limits::lowest()) return Limits::max();
  const int64_t product = int64_t{a} * b;
  constexpr int64_t kHalf = int64_t{1} << 30;
  // Division towards zero of a nudge that is less by one below zero: as an arithmetic shift.
  return static_cast<int32_t>((product + (product >= 0 ? kHalf : 1 - kHalf)) / (int64_t{1} << 31));
}

// value / 2^exponent, halves away from zero; exponent in [0, 32].
inline int32_t rounded_shift_away(int32_t value, int32_t exponent) {
  const int64_t wide = value;
  const int64_t mask = (int64_t{1} << exponent) - 1;
  const int64_t half = (mask >> 1) + (wide < 0 ? 1 : 0);
  return static_cast<int32_t>((wide >> exponent) + ((wide & mask) > half ? 1 : 0));
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

// sum * multiplier * 2^(shift - 31), rounded, saturating; the multiplier is not negative.
inline int32_t requantised(int32_t sum, int32_t multiplier, int32_t shift, Rounding rounding) {
  if (shift > kShiftMax) shift = kShiftMax;
  if (shift < kShiftMin + 31) shift = kShiftMin + 31;
  if (rounding == Rounding::kTfliteDouble) {
    const int32_t left = shift > 0 ? shift : 0;
    const int32_t right = shift > 0 ? 0 : -shift;
    const int32_t shifted = saturated_int32(int64_t{sum} << left);
    return rounded_shift_away(doubling_high_product(shifted, multiplier), right);
  }
  const int32_t exponent = 31 - shift;  // 0 to 63
  const int64_t product = int64_t{sum} * multiplier;
  if (exponent == 0) return saturated_int32(product);
  return saturated_int32(rounding == Rounding::kHalfEven ? rounded_shift_even(product, exponent)
                                                         : rounded_shift_up(product, exponent));
}

// The same of sums of 64 bits, which saturate at 48: kHalfEven keeps the whole multiplier, the
// others round it to 16 bits.
inline int32_t requantised(int64_t sum, int32_t multiplier, int32_t shift, Rounding rounding) {
  constexpr int64_t kSumMax = (int64_t{1} << 47) - 1;
  if (sum > kSumMax) sum = kSumMax;
  if (sum < -kSumMax) sum = -kSumMax;
  if (shift > 14) shift = 14;
  if (shift < -31) shift = -31;
  const int32_t reduced = multiplier < 0x7fff0000 ? (multiplier + (1 << 15)) >> 16 : 0x7fff;
  if (rounding != Rounding::kHalfEven) {
    return saturated_int32(rounded_shift_up(sum * reduced, 15 - shift));
  }
  // The product has up to 78 bits: those of the sum's upper part, and those of its lower 16.
  const int64_t low = (sum & 0xffff) * int64_t{multiplier};
  const int64_t high = (sum >> 16) * int64_t{multiplier} + (low >> 16);
  // high * 2^16 + (low & 0xffff), in which the lowest bits only say whether something is left.
  const int32_t exponent = 31 - shift;  // 17 to 62
  const int64_t sticky = (high << 1) | ((low & 0xffff) != 0 ? 1 : 0);
  return saturated_int32(rounded_shift_even(sticky, exponent - 15));
}

// A sum's result: requantised, moved by the zero point, within its limits.
template <typename Sum>
int32_t finished(Sum sum, int32_t multiplier, int32_t shift, const Requantisation& output) {
  const int64_t moved =
      int64_t{requantised(sum, multiplier, shift, output.rounding)} + output.zero_point;
  if (moved < output.low) return output.low;
  return moved > output.high ? output.high : static_cast<int32_t>(moved);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Rounding of floats to whole numbers, for targets whose FPU has no instruction for it.
//
// NaN, infinities and zeros stay as they are; a result of zero keeps the argument's sign.
#pragma once

#include <bit>
#include <cstdint>

#include "portable_fallback/shared/math.h"

namespace arenite {

// From here on every float is a whole number.
inline constexpr float kWholeFrom = 8388608.0f;

// Towards zero.
inline float trunc_f32(float x) {
  const float a = abs_f32(x);
  if (!(a < kWholeFrom)) return x;
  return with_sign_of(static_cast<float>(static_cast<int32_t>(a)), x);
}

inline float floor_f32(float x) {
  const float whole = trunc_f32(x);
  return whole > x ? whole - 1.0f : whole;
}

inline float ceil_f32(float x) {
  const float whole = trunc_f32(x);
  // -0.5 rises to -0.
  return whole < x ? whole + 1.0f : whole;
}

// To the nearest, halves to even.
inline float round_even_f32(float x) {
  const float a = abs_f32(x);
  if (!(a < kWholeFrom)) return x;
  // Adding 2^23 leaves no bits behind the point.
  const float shifted = a + kWholeFrom;
  return with_sign_of(shifted - kWholeFrom, x);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

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

// To the nearest, halves to even.
inline float round_even_f32(float x) {
  const float a = abs_f32(x);
  if (!(a < kWholeFrom)) return x;
  // Adding 2^23 leaves no bits behind the point.
  const float shifted = a + kWholeFrom;
  return with_sign_of(shifted - kWholeFrom, x);
}

// 1 if the condition holds, else 0: no branch, which would be taken for every second number.
inline float one_if(bool condition) {
  constexpr uint32_t kOne = 0x3f800000;
  return std::bit_cast<float>((0 - uint32_t{condition}) & kOne);
}

inline float floor_f32(float x) {
  const float whole = round_even_f32(x);
  return with_sign_of(whole - one_if(whole > x), x);
}

inline float ceil_f32(float x) {
  const float whole = round_even_f32(x);
  return with_sign_of(whole + one_if(whole < x), x);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Floats to integers of up to 16 bits, whose limits floats hold.
#pragma once

#include <cstdint>
#include <limits>

#include "ops/attributes.h"
#include "portable_fallback/shared/is_nan.h"
#include "portable_fallback/shared/rounding.h"

namespace arenite {

// Nearest whole number, halves away from zero.
inline float round_away_f32(float x) {
  const float whole = trunc_f32(x);
  const float rest = x - whole;
  if (rest >= 0.5f) return whole + 1.0f;
  return rest <= -0.5f ? whole - 1.0f : whole;
}

// The whole number nearest to quotient, plus the zero point; NaN becomes the zero point.
template <typename T>
T quantized(float quotient, int32_t zero_point, Rounding rounding) {
  using Limits = std::numeric_limits<T>;
  if (is_nan(quotient)) return static_cast<T>(zero_point);
  const float whole =
      rounding == Rounding::kHalfEven ? round_even_f32(quotient) : round_away_f32(quotient);
  const int32_t low = int32_t{Limits::lowest()} - zero_point;
  const int32_t high = int32_t{Limits::max()} - zero_point;
  if (whole <= static_cast<float>(low)) return Limits::lowest();
  if (whole >= static_cast<float>(high)) return Limits::max();
  return static_cast<T>(static_cast<int32_t>(whole) + zero_point);
}

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

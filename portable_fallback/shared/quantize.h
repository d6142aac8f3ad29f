// Floats to integers of up to 16 bits, whose limits floats hold.
#pragma once

#include <cstdint>
#include <limits>

#include "ops/attributes.h"
#include "portable_fallback/shared/is_nan.h"
#include "portable_fallback/shared/rounding.h"

namespace arenite {

// Nearest whole number, halves away from zero; x of less than 31 bits.
inline int32_t nearest_away(float x) {
  const auto whole = static_cast<int32_t>(x);
  const float rest = x - static_cast<float>(whole);
  return whole + (rest >= 0.5f ? 1 : 0) - (rest <= -0.5f ? 1 : 0);
}

// The whole number nearest to quotient, plus the zero point; NaN becomes the zero point.
template <typename T>
T quantized(float quotient, int32_t zero_point, Rounding rounding) {
  using Limits = std::numeric_limits<T>;
  if (is_nan(quotient)) return static_cast<T>(zero_point);
  const int32_t low = int32_t{Limits::lowest()} - zero_point;
  const int32_t high = int32_t{Limits::max()} - zero_point;
  if (quotient <= static_cast<float>(low)) return Limits::lowest();
  if (quotient >= static_cast<float>(high)) return Limits::max();
  const int32_t whole = rounding == Rounding::kHalfEven
                            ? static_cast<int32_t>(round_even_f32(quotient))
                            : nearest_away(quotient);
  return static_cast<T>(whole + zero_point);
}

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

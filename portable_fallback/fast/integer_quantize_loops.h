// Turns floats of one scale into integers of 8 bits, so many at once, whatever lies between them;
// compiled for each instruction set.
#pragma once

#include "portable_fallback/fast/integer_quantize.h"

namespace arenite {
namespace {

// Beyond all results, whatever the zero point.
inline constexpr float kQuotientMost = 1024.0f;

// The nearest whole numbers of quotients within kQuotientMost.
template <bool kHalfEven>
inline int32_t nearest(float quotient) {
  if constexpr (kHalfEven) {
    // Adding it leaves no bits behind the point, of numbers of either sign.
    constexpr float kRounder = 12582912.0f;
    return static_cast<int32_t>((quotient + kRounder) - kRounder);
  }
  const auto whole = static_cast<int32_t>(quotient);
  const float rest = quotient - static_cast<float>(whole);
  return whole + (rest >= 0.5f ? 1 : 0) - (rest <= -0.5f ? 1 : 0);
}

template <bool kHalfEven>
inline void quantize_piece(const QuantizeRun& row, const float* x, int32_t low, int32_t high,
                           uint8_t* y) {
  const float scale = row.scale;
  const int32_t zero_point = row.zero_point;
  for (uint32_t i = 0; i < kQuantizeAtOnce; ++i) {
    const float quotient = x[i] / scale;
    const float below = quotient > kQuotientMost ? kQuotientMost : quotient;
    const float limited = below < -kQuotientMost ? -kQuotientMost : below;
    // NaN becomes the zero point.
    const int32_t number = nearest<kHalfEven>(limited == limited ? limited : 0.0f) + zero_point;
    const int32_t raised = number < low ? low : number;
    y[i] = static_cast<uint8_t>(raised > high ? high : raised);
  }
}

template <bool kHalfEven>
void quantize_elements(const QuantizeRun& row) {
  const int32_t low = row.is_unsigned ? 0 : -128, high = low + 255;
  const bool x_joined = row.x_step == 1, y_joined = row.y_step == 1;
  Src<float> x = row.x;
  Dst<uint8_t> y = row.y;
  float from[kQuantizeAtOnce] = {};
  uint8_t to[kQuantizeAtOnce];
  for (uint32_t left = row.count; left != 0;) {
    const uint32_t count = left < kQuantizeAtOnce ? left : kQuantizeAtOnce;
    if (x_joined && count == kQuantizeAtOnce) {
      take(from, x, kQuantizeAtOnce);
    } else {
      for (uint32_t i = 0; i < count; ++i) from[i] = x[static_cast<ptrdiff_t>(i) * row.x_step];
    }
    quantize_piece<kHalfEven>(row, from, low, high, to);
    if (y_joined && count == kQuantizeAtOnce) {
      put(y, static_cast<const uint8_t*>(to), kQuantizeAtOnce);
    } else {
      for (uint32_t i = 0; i < count; ++i) y[static_cast<ptrdiff_t>(i) * row.y_step] = to[i];
    }
    x += static_cast<ptrdiff_t>(count) * row.x_step;
    y += static_cast<ptrdiff_t>(count) * row.y_step;
    left -= count;
  }
}

inline void quantize_row(const QuantizeRun& row) {
  row.half_even ? quantize_elements<true>(row) : quantize_elements<false>(row);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

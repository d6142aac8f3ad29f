// Rounds quotients by one conversion where the FPU has it, else to zero and up or down by the rest.
#include "portable_fallback/fast/integer_quantize_dsp_kernel.h"

#include <cstring>

#include "portable_fallback/fast/dsp.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_DSP) && defined(__ARM_FP) && (__ARM_FP & 4) != 0

// The FPU's integers saturate, and NaN becomes 0.
inline int32_t to_zero(float x) {
  float whole;
  asm("vcvt.s32.f32 %0, %1" : "=t"(whole) : "t"(x));
  int32_t number;
  std::memcpy(&number, &whole, sizeof number);
  return number;
}
inline int32_t to_even(float x) {
  float whole;
  asm("vcvtr.s32.f32 %0, %1" : "=t"(whole) : "t"(x));
  int32_t number;
  std::memcpy(&number, &whole, sizeof number);
  return number;
}

#else

inline int32_t to_zero(float x) {
  constexpr float kEnd = 2147483648.0f;
  if (x >= kEnd) return INT32_MAX;
  if (x <= -kEnd) return INT32_MIN;
  return x == x ? static_cast<int32_t>(x) : 0;
}
inline int32_t to_even(float x) {
  // From 2^23 on every float is a whole number; adding it leaves no bits behind the point.
  constexpr float kWholeFrom = 8388608.0f;
  const float size = x < 0 ? -x : x;
  if (!(size < kWholeFrom)) return to_zero(x);
  const int32_t whole = static_cast<int32_t>((size + kWholeFrom) - kWholeFrom);
  return x < 0 ? -whole : whole;
}

#endif

inline int32_t away_from_zero(float x) {
  const int32_t whole = to_zero(x);
  const float rest = x - static_cast<float>(whole);
  return dsp::saturated_sum(whole, rest >= 0.5f ? 1 : rest <= -0.5f ? -1 : 0);
}

template <bool kHalfEven>
void quantize_each(const FloatQuantize& by, const QuantizeRow& row) {
  const float scale = row.scale;
  const int32_t zero_point = row.zero_point, flip = by.flip;
  const ptrdiff_t x_step = row.x_step, y_step = row.y_step;
  Src<std::byte> x = row.x;
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left, x += x_step, y += y_step) {
    const float quotient = *as<float>(x) / scale;
    const int32_t whole = kHalfEven ? to_even(quotient) : away_from_zero(quotient);
    const int32_t number = dsp::saturated_8(dsp::saturated_sum(whole, zero_point));
    *y = static_cast<std::byte>(number ^ flip);
  }
}

}  // namespace

void quantize_row_dsp(const FloatQuantize& by, const QuantizeRow& row) {
  if (by.half_even) {
    quantize_each<true>(by, row);
  } else {
    quantize_each<false>(by, row);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

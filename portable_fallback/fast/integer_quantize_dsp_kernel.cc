// Rounds quotients by one conversion where the FPU has it, else to zero and up or down by the rest.
#include "portable_fallback/fast/integer_quantize_dsp_kernel.h"

#include "portable_fallback/fast/dsp.h"
#include "portable_fallback/fast/whole_floats.h"

namespace arenite {
namespace {

inline int32_t away_from_zero(float x) {
  const int32_t whole = whole_to_zero(x);
  const float rest = x - static_cast<float>(whole);
  return dsp::saturated_sum(whole, rest >= 0.5f ? 1 : rest <= -0.5f ? -1 : 0);
}

template <typename Y, bool kHalfEven>
void quantize_each(const FloatQuantize& by, const QuantizeRow& row) {
  const float scale = row.scale;
  const int32_t zero_point = row.zero_point, flip = by.flip;
  const ptrdiff_t x_step = row.x_step, y_step = row.y_step;
  Src<std::byte> x = row.x;
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left, x += x_step, y += y_step) {
    const float quotient = *as<float>(x) / scale;
    const int32_t whole = kHalfEven ? whole_to_even(quotient) : away_from_zero(quotient);
    const int32_t number = dsp::saturated_sum(whole, zero_point);
    if constexpr (sizeof(Y) == 1) {
      *as<Y>(y) = static_cast<Y>(dsp::saturated_8(number) ^ flip);
    } else {
      *as<Y>(y) = static_cast<Y>(dsp::saturated_16(number));
    }
  }
}

template <typename Y>
void quantize_row(const FloatQuantize& by, const QuantizeRow& row) {
  if (by.half_even) {
    quantize_each<Y, true>(by, row);
  } else {
    quantize_each<Y, false>(by, row);
  }
}

}  // namespace

void quantize_row_dsp(const FloatQuantize& by, const QuantizeRow& row) {
  quantize_row<int8_t>(by, row);
}

void quantize_row16_dsp(const FloatQuantize& by, const QuantizeRow& row) {
  quantize_row<int16_t>(by, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

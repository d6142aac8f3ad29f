// Turns floats into integers of 8 or 16 bits by the FPU's conversions and Arm's DSP extension.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

struct FloatQuantize {
  bool half_even;  // else halves go away from zero
  int32_t flip;    // 0x80 where y is uint8: makes numbers of int8 those of uint8 in the same order
};

// `count` elements of one scale, each a stride of bytes behind the one before.
struct QuantizeRow {
  Src<std::byte> x;
  Dst<std::byte> y;
  ptrdiff_t x_step, y_step;
  float scale;
  int32_t zero_point;  // as int8, or int16
  uint32_t count;
};

void quantize_row_dsp(const FloatQuantize& by, const QuantizeRow& row);
// Quantizes to int16, whose bits it does not flip.
void quantize_row16_dsp(const FloatQuantize& by, const QuantizeRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

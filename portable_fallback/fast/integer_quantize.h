// Describes floats of one scale, and the integers of 8 bits that they become, to kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

// Elements of a row that are read, then written.
inline constexpr uint32_t kQuantizeAtOnce = 32;

// y[i] = round(x[i] / scale) + zero_point, within the integers of y's type.
struct QuantizeRun {
  Src<float> x;
  Dst<uint8_t> y;
  ptrdiff_t x_step, y_step;  // elements
  float scale;
  int32_t zero_point;
  uint32_t count;
  bool half_even;    // else halves go away from zero
  bool is_unsigned;  // y is uint8, else int8
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

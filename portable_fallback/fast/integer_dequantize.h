// Describes integers of 8 bits of one scale, and the floats that they become, to kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

// y = (x - zero_point) * scale.
struct DequantizeRow {
  Src<std::byte> x;
  Dst<std::byte> y;
  ptrdiff_t x_step, y_step;  // bytes
  float scale;
  int32_t zero_point;
  uint32_t count;
  bool is_unsigned;  // x is uint8, else int8
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

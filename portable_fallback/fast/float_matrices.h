// Describes small matrix products, many of the same sizes, to a kernel.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenite {

// Product i of `count`: y + i * y_between, [rows][columns], is (with `adds`: grows by) that of
// x + i * x_between, [rows][depth], and w + i * w_between: panels of 16 columns, [depth][16] each.
// All columns of a panel are computed.
struct FloatMatrices {
  const float* x;
  const float* w;
  float* y;
  size_t x_between, w_between, y_between;
  size_t x_row, y_row;  // floats between rows
  uint32_t count, rows, columns, depth;
  bool adds;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Describes the softmax of rows of 8-bit integers in fixed point to kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"
#include "portable_fallback/fast/integer_factor_dsp.h"

namespace arenite {

// Elements whose exponentials a kernel keeps.
inline constexpr uint32_t kSoftmaxAtOnce = 16;

// Rows of so many elements that are computed at once: read, then written. 0: a row is longer than
// what is kept, and its elements are read again before each is written.
constexpr uint32_t softmax_rows_at_once(uint32_t count) { return kSoftmaxAtOnce / count; }

struct IntegerSoftmax {
  FactorNumbers factor;  // makes differences numbers of 5 integer bits
  int32_t diff_min;      // differences below count as infinite
  int32_t flip;          // of elements: 0x80 orders int8
  int32_t zero_point, low, high;
};

// Rows of x and y, whose elements are int8 or uint8.
struct SoftmaxRows {
  Src<uint8_t> x;
  Dst<uint8_t> y;
  ptrdiff_t x_row, y_row;    // elements between rows
  ptrdiff_t x_step, y_step;  // and between neighbors of a row
  uint32_t rows, count;      // as many rows at once as may be, or one
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

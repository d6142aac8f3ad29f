// Describes rows of softmax to kernels, as plain pointers and numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

inline constexpr uint32_t kSoftmaxPiece = 16;  // that are read before any of them is written

// y[i] = e^(x[i] - greatest) / their sum, or its logarithm; x may be y. NaN makes all of y NaN, and
// so does an infinite x that is the greatest.
struct FloatSoftmaxRow {
  Src<float> x;
  Dst<float> y;
  uint32_t count;
  bool logarithm;
};

inline constexpr uint32_t kSoftmaxRows = 16;  // at most, side by side in vectors

// Softmax of several rows: element k of row r is x[r * x_row + k * x_step]. For each k a kernel
// reads all rows before it writes any.
struct FloatSoftmaxRows {
  Src<float> x;
  Dst<float> y;
  ptrdiff_t x_row, y_row, x_step, y_step;
  uint32_t rows, count;
  bool logarithm;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Describes a matrix of words of 32 bits that is copied with its rows and columns exchanged.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenite {

// y[j * y_row + i] = x[i * x_row + j], i < rows, j < columns: of x.
struct WordTranspose {
  const float* x;  // their bits alone are moved
  float* y;
  uint32_t rows, columns;
  ptrdiff_t x_row, y_row;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Describes a matrix of elements of 8, 16 or 32 bits that is copied with its rows and columns
// exchanged.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenite {

// Element i of row j of y is element j of row i of x: i < rows, j < columns.
struct ElementTranspose {
  const std::byte* x;
  std::byte* y;
  uint32_t rows, columns;  // of x
  ptrdiff_t x_row, y_row;  // elements between rows
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

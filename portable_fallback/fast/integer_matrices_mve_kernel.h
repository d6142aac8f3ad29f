// Copies matrices of 8-bit integers to rows, one for each column.
#pragma once

#include "portable_fallback/fast/integer_matrix.h"

namespace arenite {

// Words of such a copy.
constexpr uint32_t mve_matrix_words(uint32_t depth, uint32_t columns) {
  return (depth * columns + 3) / 4;
}

// Writes [columns][depth].
void copy_matrix_mve(const IntegerMatrix& matrix, uint32_t* to);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

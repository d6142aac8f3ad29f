// Copies matrices of 8-bit integers to blocks of two columns.
#pragma once

#include "portable_fallback/fast/integer_matrix.h"

namespace arenite {

// Words of such a copy.
constexpr uint32_t dsp_matrix_words(uint32_t depth, uint32_t columns) {
  return ((columns + 1) / 2 * depth + 1) / 2;
}

// Writes [columns / 2][depth][2]; a last column without a partner gets 0.
void copy_matrix_dsp(const IntegerMatrix& matrix, uint32_t* to);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Finds where a row of a nested loop begins by its number. Loops inside of others begin often and
// have few rows, most of them one: a RowCursor takes 200 instructions of a Cortex-M4 to begin.
#pragma once

#include "portable_fallback/shared/loop.h"

namespace arenite {

inline uint32_t rows_of(const NestedLoop& loop) {
  uint32_t rows = 1;
  for (uint32_t d = 0; d + 1 < loop.rank; ++d) rows *= loop.dims[d];
  return rows;
}

// Elements from the start of operands 0 and 1 to that of a row.
struct RowStart {
  RowStart(const NestedLoop& loop, uint32_t row) {
    for (uint32_t d = loop.rank - 1; d-- > 0; row /= loop.dims[d]) {
      const auto index = static_cast<ptrdiff_t>(row % loop.dims[d]);
      y += index * loop.strides[0][d];
      x += index * loop.strides[1][d];
    }
  }

  ptrdiff_t y = 0, x = 0;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The parts of safe distances that more than one form needs.
#include "portable_fallback/safe_distance.h"

namespace arenite {

// In between, the distance changes evenly: it is greatest at one of the ends.
void DistanceWalk::row(const DistanceRow& row) {
  if (row.count == 0) return;
  const int64_t last = row.count - 1;
  read(row.x_step < 0 ? row.x + last * row.x_step : row.x);
  if (last > 0) {
    write(row.y + row.y_bytes);
    read(row.x + row.x_step);
    write(row.y + (last - 1) * row.y_step + row.y_bytes);
    read(row.x + last * row.x_step);
  }
  write(row.y + last * row.y_step + row.y_bytes);
}

void walk_loop(DistanceWalk& walk, const NestedLoop& loop, uint32_t operand,
               const DistanceLoop& at) {
  const uint32_t rows = RowCursor::rows(loop, loop.inner_dim());
  RowCursor row(loop, loop.inner_dim(), 0);
  for (uint32_t i = 0; i < rows; ++i, row.next()) {
    walk.row({.count = row.count(),
              .y = at.y + int64_t{row.offset(0)} * at.y_bytes,
              .x = at.x + int64_t{row.offset(operand)} * at.x_bytes,
              .y_step = int64_t{loop.inner_stride(0)} * at.y_bytes,
              .x_step = int64_t{loop.inner_stride(operand)} * at.x_bytes,
              .y_bytes = at.y_bytes});
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

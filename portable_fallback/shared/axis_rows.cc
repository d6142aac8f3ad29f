// Geometry and safe distance of rows along axes.
#include "portable_fallback/shared/axis_rows.h"

#include "portable_fallback/shared/safe_distance.h"

namespace arenite {

AxisRows::AxisRows(const Step& step, uint32_t axes_set) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  const auto stride = [&](uint32_t output, uint32_t d) {
    return output < step.output_count() ? signed_stride(step.output(output), d) : 0;
  };
  for (uint32_t d = 0; d < y.rank(); ++d) {
    const bool along = (axes_set >> d & 1u) != 0;
    if (y.dims[d] == 0) (along ? empty : none) = true;
  }
  for (uint32_t d = 0; d < y.rank() && !none; ++d) {
    if ((axes_set >> d & 1u) == 0) {
      kept.add(y.dims[d], signed_stride(y, d), signed_stride(x, d), stride(1, d), stride(2, d));
    } else if (!empty) {
      axes.add(y.dims[d], signed_stride(y, d), signed_stride(x, d));
    }
  }
  kept.sort();
  kept.merge();
  axes.merge();
}

uint64_t axis_rows_distance(const Step& step, uint32_t axes_set, uint32_t piece) {
  AxisRows rows(step, axes_set);
  DistanceWalk walk;
  if (rows.none || rows.empty) return 0;
  NestedLoop& all = rows.kept;  // a copy would be a fifth of the stack below load
  for (uint32_t d = 0; d < rows.axes.rank; ++d) {
    all.add(rows.axes.dims[d], rows.axes.strides[0][d], rows.axes.strides[1][d]);
  }
  walk_loop(walk, all, 1,
            {.y_bytes = element_bytes(step.output(0).dtype()),
             .x_bytes = element_bytes(step.input(0).dtype())},
            piece);
  return walk.bytes();
}

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

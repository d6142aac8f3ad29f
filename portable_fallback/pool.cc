// The check of pools, and what is known of one before it runs.
#include "portable_fallback/pool.h"

namespace arenite {

Status check_pool(const Step& step) {
  ARENITE_TRY(check_attributes<PoolAttributes>(step));
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (x.rank != 5) return input_error(step, Code::kBadShape, 0);
  if (y.rank != 5 || y.dims[0] != x.dims[0] || y.dims[1] != x.dims[1]) {
    return output_error(step, Code::kBadShape);
  }
  const auto attributes = step.attributes<PoolAttributes>();
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const Window window = {x.dims[2 + axis], attributes.kernel[axis], attributes.stride[axis],
                           attributes.dilation[axis], attributes.pad_begin[axis]};
    if (attributes.kernel[axis] == 0 || attributes.pad_end[axis] >= kMaxPosition ||
        !window_fits(window, y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  return check_dense_enough(step, 0);
}

Pool::Pool(const Step& step)
    : x(step.input(0)), y(step.output(0)), attributes(step.attributes<PoolAttributes>()) {
  work = bounded_count(y);
  for (uint32_t axis = 0; axis < 3; ++axis) {
    windows[axis] = {x.dims[2 + axis], attributes.kernel[axis], attributes.stride[axis],
                     attributes.dilation[axis], attributes.pad_begin[axis]};
    work = bounded_product(work, attributes.kernel[axis]);
  }
  // Without elements there are no taps, however long the other dims.
  if (is_empty(x)) windows[0].input = 0;
  blocks = blocks_of(y.dims[1]);
  items = is_empty(y) ? 0 : y.dims[0] * blocks * y.dims[2] * y.dims[3];
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

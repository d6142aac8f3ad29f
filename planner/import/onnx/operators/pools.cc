// Reads the attributes that MaxPool and AveragePool share into their three-dimensional form.
#include "planner/import/onnx/operators/pools.h"

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/windows.h"

namespace arenite::planner {

Pool read_pool(OpContext& context) {
  const Dims x = context.dims(context.input(0));
  if (x.size() < 3 || x.size() > 5) {
    context.fail("expected an input of rank 3 to 5, found " + dims_text(x));
  }
  const std::optional<std::vector<int64_t>> kernel = context.ints_attribute("kernel_shape");
  if (!kernel) context.fail_attribute("kernel_shape", "is missing");
  const bool ceil_mode = context.flag_attribute("ceil_mode", false);
  const Windows windows = read_windows(context, {x.begin() + 2, x.end()}, *kernel, ceil_mode);
  Pool pool;
  pool.dims = {x[0], x[1]};
  pool.dims.insert(pool.dims.end(), windows.steps.begin(), windows.steps.end());
  const size_t first = 3 - kernel->size();
  for (size_t i = 0; i < 3; ++i) {
    const bool there = i >= first;
    pool.attributes.kernel[i] = there ? windows.kernel[i - first] : 1;
    pool.attributes.stride[i] = there ? windows.stride[i - first] : 1;
    pool.attributes.dilation[i] = there ? windows.dilation[i - first] : 1;
    pool.attributes.pad_begin[i] = there ? windows.pad_begin[i - first] : 0;
    pool.attributes.pad_end[i] = there ? windows.pad_end[i - first] : 0;
    const uint64_t reach =
        (uint64_t{pool.attributes.kernel[i]} - 1) * pool.attributes.dilation[i] + 1;
    if (pool.attributes.pad_begin[i] >= reach || pool.attributes.pad_end[i] >= reach) {
      context.fail_attribute("pads", "of " + std::to_string(pool.attributes.pad_begin[i]) +
                                         " and " + std::to_string(pool.attributes.pad_end[i]) +
                                         " must be smaller than the window of " +
                                         std::to_string(reach));
    }
  }
  return pool;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

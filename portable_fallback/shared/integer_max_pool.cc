// Finds the taps of a row's windows, and how far they are read ahead of the writes.
#include "portable_fallback/shared/integer_max_pool.h"

#include "portable_fallback/shared/safe_distance.h"

namespace arenite {

IntegerMaxPool::IntegerMaxPool(const Step& step) : Pool(step, step.serial()) {
  rows = items == 0 ? 0 : y.dims[0] * y.dims[2] * y.dims[3];
  const Window& window = windows[2];
  const uint32_t last_tap = (window.kernel - 1) * window.dilation;
  const uint32_t reach = window.input + window.pad_begin;
  whole_begin = (window.pad_begin + window.stride - 1) / window.stride;
  whole_end = reach > last_tap ? (reach - last_tap - 1) / window.stride + 1 : 0;
  whole_end = whole_end < y.dims[4] ? whole_end : y.dims[4];
}

void max_pool_rows(const IntegerMaxPool& pool, uint32_t first, uint32_t last,
                   MaxPoolKernel kernel) {
  const Tensor& x = pool.x;
  const OutTensor& y = pool.y;
  MaxPoolRun run;
  run.taps.is_unsigned = x.dtype() == DType::kUint8;
  run.channels = y.dims[1];
  run.x_step = size_t{pool.windows[2].stride} * x.strides[4];
  run.y_step = y.strides[4];
  const auto put_taps = [&](uint32_t axis, uint32_t output) -> size_t {
    const Window& window = pool.windows[axis];
    const Taps taps = window.taps(output);
    run.taps.counts[axis] = taps.end - taps.begin;
    run.taps.steps[axis] = size_t{window.dilation} * x.strides[2 + axis];
    if (taps.end == taps.begin) return 0;
    return static_cast<size_t>(window.position(output, taps.begin)) * x.strides[2 + axis];
  };
  for (uint32_t row = first; row < last; ++row) {
    const uint32_t oh = row % y.dims[3];
    const uint32_t slice = row / y.dims[3];
    const uint32_t od = slice % y.dims[2];
    const uint32_t n = slice / y.dims[2];
    const size_t line = size_t{n} * x.strides[0] + put_taps(0, od) + put_taps(1, oh);
    run.y = y.write<std::byte>() +
            (size_t{n} * y.strides[0] + size_t{od} * y.strides[2] + size_t{oh} * y.strides[3]);
    for (uint32_t ow = 0; ow < y.dims[4]; ow += run.outputs, run.y += run.outputs * run.y_step) {
      run.outputs = ow >= pool.whole_begin && ow < pool.whole_end ? pool.whole_end - ow : 1;
      run.taps.x = x.read<std::byte>() + (line + put_taps(2, ow));
      kernel(run);
    }
  }
}

bool takes_integer_max_pool(const Step& step) {
  const Tensor x = step.input(0);
  return element_bytes(x.dtype()) == 1 && x.strides[1] == 1 && step.output(0).strides[1] == 1 &&
         step.output_count() == 1;
}

uint64_t integer_max_pool_distance(const Step& step, uint32_t) {
  const IntegerMaxPool pool(step);
  if (pool.rows == 0) return 0;
  DistanceNest nest(1);
  nest.add(DistanceLoop::blocks(pool.y.dims[1], kPoolChannels, 1, 1));
  for (uint32_t axis = 3; axis-- > 0;) {
    nest.add(DistanceLoop::window(pool.windows[axis], pool.y.dims[2 + axis],
                                  pool.y.strides[2 + axis], pool.x.strides[2 + axis]));
  }
  nest.add(DistanceLoop::even(pool.y.dims[0], pool.y.strides[0], pool.x.strides[0]));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The walk of max pools whose kernels take the outputs of a row, of all channels, and its safe
// distance.
#pragma once

#include "portable_fallback/shared/pool.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {

// A max_pool whose items are rows of outputs, with all of their channels.
struct MaxPoolRows : Pool {
  explicit MaxPoolRows(const Step& step);

  uint32_t rows;
  uint32_t whole_begin, whole_end;  // the outputs of a row all of whose taps along it lie inside x
};

// Rows [first, last) of elements of type T. Run: what a kernel is given, of which only what else
// its taps have is set.
template <typename T, typename Run>
void run_max_pool_rows(const MaxPoolRows& pool, uint32_t first, uint32_t last, Run run,
                       void (*kernel)(const Run&)) {
  const Tensor& x = pool.x;
  const OutTensor& y = pool.y;
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
    run.y = y.write<T>() +
            (size_t{n} * y.strides[0] + size_t{od} * y.strides[2] + size_t{oh} * y.strides[3]);
    for (uint32_t ow = 0; ow < y.dims[4]; ow += run.outputs, run.y += run.outputs * run.y_step) {
      run.outputs = ow >= pool.whole_begin && ow < pool.whole_end ? pool.whole_end - ow : 1;
      run.taps.x = x.read<T>() + (line + put_taps(2, ow));
      kernel(run);
    }
  }
}

// The safe distance of x: each output reads its window and then writes, so many channels at a time.
// Inlined, as a call takes more code than its form's one use of it.
template <uint32_t kBytes, uint32_t kChannels>
[[gnu::always_inline]] inline uint64_t max_pool_rows_distance(const Step& step) {
  const MaxPoolRows pool(step);
  if (pool.rows == 0) return 0;
  DistanceNest nest(kBytes);
  const auto bytes = [](uint32_t stride) { return int64_t{stride} * kBytes; };
  nest.add(DistanceLoop::blocks(pool.y.dims[1], kChannels, kBytes, kBytes));
  for (uint32_t axis = 3; axis-- > 0;) {
    nest.add(DistanceLoop::window(pool.windows[axis], pool.y.dims[2 + axis],
                                  bytes(pool.y.strides[2 + axis]),
                                  bytes(pool.x.strides[2 + axis])));
  }
  nest.add(DistanceLoop::even(pool.y.dims[0], bytes(pool.y.strides[0]), bytes(pool.x.strides[0])));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

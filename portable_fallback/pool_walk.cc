// What is known of a pool before it runs: its items, and how far its reads are ahead of its writes.
#include "portable_fallback/pool.h"
#include "portable_fallback/safe_distance.h"
#include "portable_fallback/split.h"

namespace arenite {

Pool::Pool(const Step& step, bool serial)
    : x(step.input(0)), y(step.output(0)), attributes(step.attributes<PoolAttributes>()) {
  work = element_count(y);
  for (uint32_t axis = 0; axis < 3; ++axis) {
    windows[axis] = pool_window(attributes, x, axis);
    if (work < kWorthSplitting) work *= attributes.kernel[axis];
  }
  // Without elements there are no taps, however long the other dims.
  if (is_empty(x)) windows[0].input = 0;
  blocks = blocks_of(y.dims[1]);
  items = is_empty(y) ? 0 : y.dims[0] * blocks * y.dims[2] * y.dims[3];
  rows_first = serial && y.strides[1] < y.strides[3];
}

PoolItem item_of(const Pool& pool, uint32_t item) {
  const uint32_t* dims = pool.y.dims;
  const uint32_t rows = dims[2] * dims[3];
  const uint32_t in_image = item % (rows * pool.blocks);
  const uint32_t row = pool.rows_first ? in_image / pool.blocks : in_image % rows;
  const uint32_t c = (pool.rows_first ? in_image % pool.blocks : in_image / rows) * kBlock;
  const uint32_t left = dims[1] - c;
  return {item / (rows * pool.blocks), c, row / dims[3], row % dims[3],
          left < kBlock ? left : kBlock};
}

// Each output position reads its window, then writes its channels. Indices are found afterwards,
// from all of x again.
uint64_t pool_distance(const Step& step, uint32_t) {
  const Pool pool(step, true);
  const int64_t bytes = element_bytes(pool.y.dtype);
  const uint32_t* x_strides = pool.x.strides;
  const uint32_t* y_strides = pool.y.strides;
  const uint32_t width = pool.y.dims[4];
  DistanceWalk walk;
  for (uint32_t item = 0; item < pool.items; ++item) {
    const PoolItem at = item_of(pool, item);
    const Taps d = pool.windows[0].taps(at.od);
    const Taps h = pool.windows[1].taps(at.oh);
    const int64_t x = int64_t{at.n} * x_strides[0] + int64_t{at.c} * x_strides[1] +
                      pool.windows[0].position(at.od, d.begin) * x_strides[2] +
                      pool.windows[1].position(at.oh, h.begin) * x_strides[3];
    // The end of the last channel at a position of the row.
    const int64_t y = int64_t{at.n} * y_strides[0] + (int64_t{at.c} + at.count - 1) * y_strides[1] +
                      int64_t{at.od} * y_strides[2] + int64_t{at.oh} * y_strides[3] + 1;
    const bool empty = d.begin == d.end || h.begin == h.end;
    for_farthest_outputs(pool.windows[2], empty ? 0 : width, [&](uint32_t ow) {
      if (ow != 0) walk.write((y + int64_t{ow - 1} * y_strides[4]) * bytes);
      const Taps w = pool.windows[2].taps(ow);
      if (w.begin == w.end) return;
      walk.read((x + pool.windows[2].position(ow, w.begin) * x_strides[4]) * bytes);
    });
    walk.write((y + int64_t{width - 1} * y_strides[4]) * bytes);
  }
  if (step.output_count() > 1) walk.read(walk.lowest());
  return walk.bytes();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

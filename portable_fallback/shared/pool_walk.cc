// Counts a pool's items, and how far its reads are ahead of its writes.
#include "portable_fallback/shared/pool.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

Pool::Pool(const Step& step, bool serial)
    : x(step.input(0)), y(step.output(0)), attributes(step.attributes<PoolAttributes>()) {
  work = element_count(y);
  for (uint32_t axis = 0; axis < 3; ++axis) {
    windows[axis] = pool_window(attributes, x, axis);
    // Those of the taps that lie inside, so that it is a number of 64 bits.
    const uint32_t taps = attributes.kernel[axis];
    work *= taps < windows[axis].input ? taps : windows[axis].input;
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
  if (pool.items == 0) return 0;
  const int64_t bytes = element_bytes(pool.y.dtype());
  const auto x = [&](uint32_t d) { return pool.x.strides[d] * bytes; };
  const auto y = [&](uint32_t d) { return pool.y.strides[d] * bytes; };
  const auto window = [&](uint32_t axis) {
    return DistanceLoop::window(pool.windows[axis], pool.y.dims[2 + axis], y(2 + axis),
                                x(2 + axis));
  };
  const DistanceLoop blocks = DistanceLoop::blocks(pool.y.dims[1], kBlock, y(1), x(1));
  DistanceNest nest(element_bytes(pool.y.dtype()));
  nest.add(window(2));
  if (pool.rows_first) nest.add(blocks);
  nest.add(window(1));
  nest.add(window(0));
  if (!pool.rows_first) nest.add(blocks);
  nest.add(DistanceLoop::even(pool.y.dims[0], y(0), x(0)));
  DistanceWalk walk;
  walk.nest(nest);
  if (step.output_count() > 1) walk.read(walk.lowest());
  return walk.bytes();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The loops of convolutions, whatever their numbers are.
#include "portable_fallback/shared/conv_geometry.h"

#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {

ConvGeometry::ConvGeometry(const Step& step, uint32_t groups, const Window& height_of,
                           const Window& width_of, bool serial)
    : x(step.input(0)),
      w(step.input(1)),
      y(step.output(0)),
      height(height_of),
      width(width_of),
      depthwise(w.dims[1] == 1 && w.dims[0] == groups),
      loop_groups(depthwise ? 1 : groups),
      group_outputs(w.dims[0] / loop_groups),
      blocks(blocks_of(group_outputs)),
      rows_first(serial && y.strides[1] < y.strides[2]) {
  // Nothing to add up; the other dims of what is empty may be any number.
  if (is_empty(w)) height.kernel = 0;
  if (w.layout() == Layout::kPanel16) {
    w_o = 1;
    w_i = kBlock;
    w_w = w_i * w.dims[1];
    w_h = w_w * w.dims[3];
  } else {
    w_o = w.strides[0];
    w_i = w.strides[1];
    w_h = w.strides[2];
    w_w = w.strides[3];
  }
}

void ConvGeometry::read_rows() {
  w_i = 1;
  w_w = w.dims[1];
  w_h = w_w * w.dims[3];
  w_o = w_h * w.dims[2];
}

uint64_t ConvGeometry::work() const { return element_count(y) * w.dims[1] * w.dims[2] * w.dims[3]; }

ConvItem ConvGeometry::item(uint32_t index) const {
  const uint32_t rows = y.dims[2];
  const uint32_t all_blocks = loop_groups * blocks;
  ConvItem at;
  const uint32_t in_image = index % (rows * all_blocks);
  at.n = index / (rows * all_blocks);
  at.oh = rows_first ? in_image / all_blocks : in_image % rows;
  const uint32_t block = rows_first ? in_image % all_blocks : in_image / rows;
  at.b = block % blocks;
  at.g = block / blocks;
  at.o = at.g * group_outputs + at.b * kBlock;
  at.c = depthwise ? at.o : at.g * w.dims[1];
  const uint32_t left = group_outputs - at.b * kBlock;
  at.count = left < kBlock ? left : kBlock;
  return at;
}

size_t ConvGeometry::w_offset(const ConvItem& at) const {
  if (w.layout() != Layout::kPanel16) return at.o * w_o;
  // A panel of 16 outputs takes 16 * K elements.
  return at.o * (size_t{w.dims[1]} * w.dims[2] * w.dims[3]);
}

uint64_t ConvGeometry::safe_distance() const {
  const uint32_t y_bytes = element_bytes(y.dtype());
  const auto from = [&](uint32_t d) { return int64_t{x.strides[d]} * element_bytes(x.dtype()); };
  const auto to = [&](uint32_t d) { return int64_t{y.strides[d]} * y_bytes; };
  const DistanceLoop rows = DistanceLoop::window(height, y.dims[2], to(2), from(2));
  DistanceNest nest(y_bytes);
  nest.add(DistanceLoop::window(width, y.dims[3], to(3), from(3)));
  if (!rows_first) nest.add(rows);
  nest.add(DistanceLoop::blocks(group_outputs, kBlock, to(1), depthwise ? from(1) : 0));
  nest.add(DistanceLoop::even(loop_groups, group_outputs * to(1), w.dims[1] * from(1)));
  if (rows_first) nest.add(rows);
  nest.add(DistanceLoop::even(y.dims[0], to(0), from(0)));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

uint64_t ConvGeometry::residual_distance(const Tensor& r) const {
  const auto from = [&](uint32_t d) { return int64_t{r.strides[d]} * element_bytes(r.dtype()); };
  const auto to = [&](uint32_t d) { return int64_t{y.strides[d]} * element_bytes(y.dtype()); };
  const DistanceLoop rows = DistanceLoop::even(y.dims[2], to(2), from(2));
  DistanceNest nest(element_bytes(y.dtype()));
  nest.add(DistanceLoop::even(y.dims[3], to(3), from(3)));
  if (!rows_first) nest.add(rows);
  nest.add(DistanceLoop::blocks(group_outputs, kBlock, to(1), from(1)));
  nest.add(DistanceLoop::even(loop_groups, group_outputs * to(1), group_outputs * from(1)));
  if (rows_first) nest.add(rows);
  nest.add(DistanceLoop::even(y.dims[0], to(0), from(0)));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

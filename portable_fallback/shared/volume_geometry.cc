// The loops of convolutions over three spatial dims.
#include "portable_fallback/shared/volume_geometry.h"

#include "portable_fallback/shared/block.h"

namespace arenite {

VolumeShape::VolumeShape(const Step& step, uint32_t groups)
    : x(step.input(0)),
      w(step.input(1)),
      y(step.output(0)),
      depthwise(w.dims[1] == 1 && w.dims[0] == groups),
      loop_groups(depthwise ? 1 : groups),
      group_outputs(w.dims[0] / loop_groups),
      blocks(blocks_of(group_outputs)) {
  if (w.layout() == Layout::kPanel16) {
    w_o = 1;
    w_i = kBlock;
    w_k[2] = w_i * w.dims[1];
    w_k[1] = w_k[2] * w.dims[4];
    w_k[0] = w_k[1] * w.dims[3];
  } else {
    w_o = w.strides[0];
    w_i = w.strides[1];
    for (uint32_t axis = 0; axis < 3; ++axis) w_k[axis] = w.strides[2 + axis];
  }
}

void VolumeShape::read_rows() {
  w_i = 1;
  w_k[2] = w.dims[1];
  w_k[1] = w_k[2] * w.dims[4];
  w_k[0] = w_k[1] * w.dims[3];
  w_o = w_k[0] * w.dims[2];
}

VolumeItem VolumeShape::item(uint32_t index) const {
  VolumeItem at;
  at.oh = index % y.dims[3];
  index /= y.dims[3];
  at.od = index % y.dims[2];
  index /= y.dims[2];
  const uint32_t b = index % blocks;
  index /= blocks;
  const uint32_t g = index % loop_groups;
  at.n = index / loop_groups;
  at.o = g * group_outputs + b * kBlock;
  at.c = depthwise ? at.o : g * w.dims[1];
  const uint32_t left = group_outputs - b * kBlock;
  at.count = left < kBlock ? left : kBlock;
  return at;
}

size_t VolumeShape::w_offset(const VolumeItem& at) const {
  if (w.layout() != Layout::kPanel16) return at.o * w_o;
  // A panel of 16 outputs takes 16 * K elements.
  return at.o * (size_t{w.dims[1]} * w.dims[2] * w.dims[3] * w.dims[4]);
}

uint64_t transposed_work(const TransposedGeometry& geometry) {
  uint64_t work = element_count(geometry.y) * geometry.w.dims[1];
  for (uint32_t axis = 0; axis < 3; ++axis) {
    work *= geometry.w.dims[2 + axis] / geometry.axes[axis].stride + 1;
  }
  return work;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

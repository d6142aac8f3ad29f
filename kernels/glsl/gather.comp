// y = data at run-time indices along one axis. Negative indices count from the end; those outside
// the axis are clamped to it, so that no data can make it read elsewhere (the CPU reports them).
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"

layout(constant_id = 0) const bool kWide = false;  // int64 indices: two words each, low first

layout(set = 0, binding = 0) readonly buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Indices { int indices[]; };
layout(set = 0, binding = 2) writeonly buffer Y { uint y[]; };

layout(push_constant) uniform Push {
  uint count, rank, data_skip, indices_skip, y_skip, axis_size, axis_stride;
  // Of y's dims, innermost first; the indices' strides and skip count words.
  uint dims[6], data_strides[6], indices_strides[6], y_strides[6];
} p;

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint data_at = p.data_skip, indices_at = p.indices_skip, y_at = p.y_skip;
  for (uint d = 0u; d + 1u < p.rank; ++d) {
    uint quotient = rest / p.dims[d];
    uint i = rest - quotient * p.dims[d];
    data_at += i * p.data_strides[d];
    indices_at += i * p.indices_strides[d];
    y_at += i * p.y_strides[d];
    rest = quotient;
  }
  uint last = p.rank - 1u;
  data_at += rest * p.data_strides[last];
  indices_at += rest * p.indices_strides[last];
  y_at += rest * p.y_strides[last];

  int size = int(p.axis_size);
  int index = indices[indices_at];
  if (kWide) {
    // An index that 32 bits can't hold saturates.
    int high = indices[indices_at + 1u];
    if (high != (index >> 31)) index = high < 0 ? -0x7fffffff : 0x7fffffff;
  }
  if (index < 0) index += size;
  index = min(max(index, 0), size - 1);
  y[y_at] = data[data_at + uint(index) * p.axis_stride];
}
// SPDX-License-Identifier: Apache-2.0

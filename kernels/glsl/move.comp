// Family move: y = x, or y = a constant, for any type of four bytes: words move as they are, so NaN payloads live.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"

layout(constant_id = 0) const bool kFill = false;

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { uint y[]; };

layout(push_constant) uniform Push {
  uint count, rank, x_skip, y_skip, fill_bits;
  uint dims[8], x_strides[8], y_strides[8];  // innermost first; x's may be negative modulo 2^32
} p;

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint x_at = p.x_skip, y_at = p.y_skip;
  for (uint d = 0u; d + 1u < p.rank; ++d) {
    uint quotient = rest / p.dims[d];
    uint i = rest - quotient * p.dims[d];
    x_at += i * p.x_strides[d];
    y_at += i * p.y_strides[d];
    rest = quotient;
  }
  uint last = p.rank - 1u;
  x_at += rest * p.x_strides[last];
  y_at += rest * p.y_strides[last];
  if (kFill) {
    y[y_at] = p.fill_bits;
  } else {
    y[y_at] = x[x_at];
  }
}
// SPDX-License-Identifier: Apache-2.0

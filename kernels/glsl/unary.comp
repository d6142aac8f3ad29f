// y = f(x) for clip, hard_sigmoid and sigmoid with constant parameters, any strides.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"
#include "activation.glsl"

layout(constant_id = 0) const uint kActivation = 1u;

layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push {
  uint count, rank, x_skip, y_skip;
  float a, b;
  uint dims[8], x_strides[8], y_strides[8];  // innermost first
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
  float v = x[x_at + rest * p.x_strides[last]];
  y[y_at + rest * p.y_strides[last]] = activate(kActivation, v, p.a, p.b);
}
// SPDX-License-Identifier: Apache-2.0

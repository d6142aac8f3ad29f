// Family unary: y = f(x), any strides; and clip with constant bounds.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"
#include "activation.glsl"
#include "ops.glsl"

layout(constant_id = 0) const uint kOp = 0u;

layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push {
  uint count, rank, x_skip, y_skip;
  float alpha, beta;
  uint dims[8], x_strides[8], y_strides[8];  // innermost first
} p;

float apply(float x) {
  if (kOp == kOpClip) return clip(x, p.alpha, p.beta);
  if (kOp == kOpHardSigmoid) return hard_sigmoid(x, p.alpha, p.beta);
  if (kOp == kOpSigmoid) return sigmoid(x);
  return x;
}

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
  y[y_at + rest * p.y_strides[last]] = apply(v);
}
// SPDX-License-Identifier: Apache-2.0

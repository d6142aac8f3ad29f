// y = x as another type: float32 to int32 (towards zero, saturating, NaN to 0) or int32 to float32.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"
#include "numbers.glsl"

layout(constant_id = 0) const bool kToFloat = false;

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { uint y[]; };

layout(push_constant) uniform Push {
  uint count, rank, x_skip, y_skip;
  uint dims[8], x_strides[8], y_strides[8];  // innermost first
} p;

uint to_int(float v) {
  if (is_nan(v)) return 0u;
  if (v >= 2147483648.0) return 0x7fffffffu;
  if (v < -2147483648.0) return 0x80000000u;
  return uint(int(v));
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
  uint v = x[x_at + rest * p.x_strides[last]];
  v = kToFloat ? floatBitsToUint(float(int(v))) : to_int(uintBitsToFloat(v));
  y[y_at + rest * p.y_strides[last]] = v;
}
// SPDX-License-Identifier: Apache-2.0

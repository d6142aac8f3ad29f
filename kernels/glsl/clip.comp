// y = min(max(x, low), high) with bounds that are data, for float32 and int32, any strides.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"
#include "activation.glsl"

layout(constant_id = 0) const bool kInteger = false;
layout(constant_id = 1) const bool kHasLow = true;  // else the bound in the push words
layout(constant_id = 2) const bool kHasHigh = true;

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer Low { uint low_data[]; };
layout(set = 0, binding = 2) readonly buffer High { uint high_data[]; };
layout(set = 0, binding = 3) writeonly buffer Y { uint y[]; };

layout(push_constant) uniform Push {
  uint count, rank, x_skip, low_skip, high_skip, y_skip;
  uint low, high;  // an element's bits
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
  uint v = x[x_at + rest * p.x_strides[last]];
  uint low = kHasLow ? low_data[p.low_skip] : p.low;
  uint high = kHasHigh ? high_data[p.high_skip] : p.high;
  if (kInteger) {
    v = uint(min(max(int(v), int(low)), int(high)));
  } else {
    v = floatBitsToUint(clip(uintBitsToFloat(v), uintBitsToFloat(low), uintBitsToFloat(high)));
  }
  y[y_at + rest * p.y_strides[last]] = v;
}
// SPDX-License-Identifier: Apache-2.0

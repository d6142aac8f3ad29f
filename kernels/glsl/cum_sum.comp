// CumSum of float32 and int32: an invocation adds up a row, in order.
/* words
spec
  bool floats = true
  bool exclusive
  bool reverse
push
  uint count, rank, x_skip, y_skip, elements, x_stride, y_stride
parameters
  walk 2  // x, y
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "cum_sum.words.glsl"
#include "grid.glsl"
#include "parameters.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { uint y[]; };

#include "walk.glsl"

uint sum_of(uint a, uint b) {
  return kFloats ? floatBitsToUint(uintBitsToFloat(a) + uintBitsToFloat(b)) : a + b;
}

void main() {
  uint row = grid_index();
  if (row >= p.count) return;
  uint at[2] = {p.x_skip, p.y_skip};
  walk(row, p.rank, at);
  uint sum = 0u;
  for (uint i = 0u; i < p.elements; ++i) {
    uint k = kReverse ? p.elements - 1u - i : i;
    uint next = sum_of(sum, x[at[0] + k * p.x_stride]);
    y[at[1] + k * p.y_stride] = kExclusive ? sum : next;
    sum = next;
  }
}
// SPDX-License-Identifier: Apache-2.0

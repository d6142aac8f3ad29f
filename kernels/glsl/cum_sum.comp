// CumSum of float32 and int32: an invocation adds up a row, in order.
#version 450
#extension GL_GOOGLE_include_directive : require
#define PARAMETER_BINDING 2
#define PARAMETER_VECTORS 7
#define WALK_OPERANDS 2
#include "grid.glsl"
#include "parameters.glsl"

layout(constant_id = 0) const bool kFloats = true;
layout(constant_id = 1) const bool kExclusive = false;
layout(constant_id = 2) const bool kReverse = false;

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { uint y[]; };

layout(push_constant) uniform Push {
  uint count, rank, x_skip, y_skip, elements, x_stride, y_stride;
} p;

const uint kWalk = 0u;  // x, y
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

// TopK of float32 and int32: an invocation counts the elements of its row that come before its own,
// which is its place in the order; those among the first k are written there. No two have one place.
#version 450
#extension GL_GOOGLE_include_directive : require
#define PARAMETER_BINDING 3
#define PARAMETER_VECTORS 9
#define WALK_OPERANDS 3
#include "grid.glsl"
#include "numbers.glsl"
#include "parameters.glsl"

layout(constant_id = 0) const bool kFloats = true;
layout(constant_id = 1) const bool kSmallest = false;

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) writeonly buffer Values { uint values[]; };
layout(set = 0, binding = 2) writeonly buffer Indices { uint indices[]; };  // int64, low word first

layout(push_constant) uniform Push {
  uint count, rank, x_skip, values_skip, indices_skip, elements, k;
  uint x_stride, values_stride, indices_stride;  // along the axis; indices in words
} p;

const uint kWalk = 0u;  // x, values, indices
#include "walk.glsl"

// Greater where the element comes earlier; a NaN is the greatest number, 0 and -0 are equal.
uint key_of(uint bits) {
  uint key = bits ^ 0x80000000u;
  if (kFloats) {
    if (is_nan(uintBitsToFloat(bits))) {
      key = 0xffffffffu;
    } else if (bits == 0x80000000u) {
      key = 0x80000000u;
    } else {
      key = (bits >> 31) != 0u ? ~bits : bits | 0x80000000u;
    }
  }
  return kSmallest ? ~key : key;
}

void main() {
  uint i = grid_index();
  if (i >= p.count) return;
  uint row = i / p.elements;
  uint own = i - row * p.elements;
  uint at[3] = {p.x_skip, p.values_skip, p.indices_skip};
  walk(row, p.rank, at);
  uint bits = x[at[0] + own * p.x_stride];
  uint key = key_of(bits);
  uint place = 0u;
  for (uint other = 0u; other < p.elements && place < p.k; ++other) {
    uint theirs = key_of(x[at[0] + other * p.x_stride]);
    if (theirs > key || (theirs == key && other < own)) ++place;
  }
  if (place >= p.k) return;
  values[at[1] + place * p.values_stride] = bits;
  uint to = at[2] + place * p.indices_stride;
  indices[to] = own;
  indices[to + 1u] = 0u;
}
// SPDX-License-Identifier: Apache-2.0

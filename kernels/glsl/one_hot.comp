// OneHot: y is `on` where the position along the axis is what the index says, else `off`.
#version 450
#extension GL_GOOGLE_include_directive : require
#define PARAMETER_BINDING 3
#define PARAMETER_VECTORS 12
#define WALK_OPERANDS 4
#include "parameters.glsl"

layout(constant_id = 1) const uint kType = 0u;  // of values and y, by its size
layout(constant_id = 2) const bool kWide = false;  // int64 indices: two words each, low first

layout(set = 0, binding = 0) readonly buffer Indices { int indices[]; };
layout(set = 0, binding = 1) readonly buffer Values { uint values[]; };
layout(set = 0, binding = 2) buffer Y { uint y[]; };

layout(push_constant) uniform Push {
  uint count, rank, indices_skip, values_skip, y_skip, depth, values_stride;
} p;

const uint kWalk = 0u;  // indices, values (the words of an element), y, the position along the axis

#include "each_element.glsl"
#include "index.glsl"
#include "walk.glsl"

uint element(uint i, out uint y_at) {
  uint at[4] = {p.indices_skip, p.values_skip, p.y_skip, 0u};
  walk(i, p.rank, at);
  y_at = at[2];
  int index = index_at(at[0]);
  if (index < 0) index += int(p.depth);
  uint value = at[1] + (index == int(at[3]) ? p.values_stride : 0u);
  return bits_of(kType, values[word_at(kType, value)], value);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0

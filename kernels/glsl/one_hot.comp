// OneHot: y is `on` where the position along the axis is what the index says, else `off`.
/* words
use each_element
spec
  uint store  // as each_element.glsl has it
  uint type  // of values and y, by its size
  bool wide  // int64 indices: two words each, low first
push
  uint count, rank, indices_skip, values_skip, y_skip, depth, values_stride
parameters
  walk 4  // indices, values (the words of an element), y, the position along the axis
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "one_hot.words.glsl"
#include "parameters.glsl"

layout(set = 0, binding = 0) readonly buffer Indices { int indices[]; };
layout(set = 0, binding = 1) readonly buffer Values { uint values[]; };
layout(set = 0, binding = 2) buffer Y { uint y[]; };

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

// Sets a flag where an index that is data lies outside the axis that it counts along. The shaders that
// use the index clamp it or leave it out, so that no data can make them reach elsewhere.
/* words
spec
  bool wide  // int64 indices: two words each, low first
push
  uint count, rank, indices_skip
  uint from_end  // 1: negative indices count from the end
parameters
  walk 2         // the indices, which of a tuple
  uint sizes[8]  // by which of a tuple
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "index_check.words.glsl"
#include "grid.glsl"
#include "parameters.glsl"

layout(set = 0, binding = 0) readonly buffer Indices { int indices[]; };
layout(set = 0, binding = 1) buffer Flag { uint flag[]; };

#include "index.glsl"
#include "walk.glsl"

void main() {
  uint i = grid_index();
  if (i >= p.count) return;
  uint at[2] = {p.indices_skip, 0u};
  walk(i, p.rank, at);
  int size = int(parameter(kSizes + at[1]));
  int index = index_at(at[0]);
  int lowest = p.from_end != 0u ? -size : 0;
  if (index < lowest || index >= size) atomicOr(flag[0], 1u);
}
// SPDX-License-Identifier: Apache-2.0

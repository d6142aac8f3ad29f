// ReverseSequence: y = x along the time axis, up to each sequence's end from there back. Lengths are
// clamped to the axis (index_check.comp reports those that lie outside).
/* words
use each_element
spec
  uint store  // as each_element.glsl has it
  uint type  // of x and y, by its size
  bool wide  // int64 lengths: two words each, low first
push
  uint count, rank, x_skip, lengths_skip, y_skip, steps, x_time_stride
parameters
  walk 4  // x without its time, lengths, y, the time
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "reverse_sequence.words.glsl"
#include "parameters.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer Lengths { int indices[]; };
layout(set = 0, binding = 2) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "index.glsl"
#include "walk.glsl"

uint element(uint i, out uint y_at) {
  uint at[4] = {p.x_skip, p.lengths_skip, p.y_skip, 0u};
  walk(i, p.rank, at);
  y_at = at[2];
  uint end = uint(min(max(index_at(at[1]), 0), int(p.steps)));
  uint time = at[3] < end ? end - 1u - at[3] : at[3];
  uint from = at[0] + time * p.x_time_stride;
  return bits_of(kType, x[word_at(kType, from)], from);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0

// TopK of float32 and integers of up to 32 bits: an invocation counts the elements of its row that come before its own,
// which is its place in the order; those among the first k are written there. No two have one place.
/* words
use elements
use integers
spec
  uint type  // as integers.glsl has them
  bool smallest
push
  uint count, rank, x_skip, values_skip, indices_skip, elements, k
  uint x_stride, values_stride, indices_stride  // along the axis; indices in words
parameters
  walk 3  // x, values, indices
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "top_k.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "parameters.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Values { uint y[]; };
layout(set = 0, binding = 2) writeonly buffer Indices { uint indices[]; };  // int64, low word first

#include "elements.glsl"
#include "integers.glsl"

#include "walk.glsl"

// Greater where the element comes earlier; a NaN is the greatest number, 0 and -0 are equal.
uint key_of(uint at) {
  uint bits = uint(number_of(kType, x[word_at(kType & 3u, at)], at));
  uint key = bits ^ 0x80000000u;
  if (kType == kFloat) {
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
  uint own_at = at[0] + own * p.x_stride;
  uint key = key_of(own_at);
  uint place = 0u;
  for (uint other = 0u; other < p.elements && place < p.k; ++other) {
    uint theirs = key_of(at[0] + other * p.x_stride);
    if (theirs > key || (theirs == key && other < own)) ++place;
  }
  if (place >= p.k) return;
  store_element(kType & 3u, at[1] + place * p.values_stride,
                bits_of(kType & 3u, x[word_at(kType & 3u, own_at)], own_at));
  uint to = at[2] + place * p.indices_stride;
  indices[to] = own;
  indices[to + 1u] = 0u;
}
// SPDX-License-Identifier: Apache-2.0

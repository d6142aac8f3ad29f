// Elements of x put where their indices say; before that, with kFill, zeros everywhere. An index
// outside y puts nothing (index_check.comp reports it).
/* words
use elements
spec
  uint type  // by its size
  bool fill
  bool wide  // elements of two words
push
  uint count, x_skip, indices_skip, y_skip, places
parameters
  uint y_rank, y_dims[8], y_strides[8]  // innermost first
  uint rank, dims[9], x_strides[9], indices_strides[9], word_of[9]
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "max_unpool.words.glsl"
#include "grid.glsl"
#include "parameters.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer Indices { uint indices[]; };  // two words each
layout(set = 0, binding = 2) buffer Y { uint y[]; };

#include "elements.glsl"

// The offset in y of a place that is counted row-major.
uint place_at(uint place) {
  uint at = p.y_skip;
  for (uint d = 0u; d < parameter(kYRank); ++d) {
    uint quotient = place / parameter(kYDims + d);
    at += (place - quotient * parameter(kYDims + d)) * parameter(kYStrides + d);
    place = quotient;
  }
  return at;
}

void main() {
  uint i = grid_index();
  if (i >= p.count) return;
  if (kFill) {
    uint words = kWide ? 2u : 1u;
    store_element(kType, place_at(i / words) + i % words, 0u);
    return;
  }
  uint x_at = p.x_skip, indices_at = p.indices_skip, word = 0u;
  for (uint d = 0u; d < parameter(kRank); ++d) {
    uint quotient = i / parameter(kDims + d);
    uint k = i - quotient * parameter(kDims + d);
    x_at += k * parameter(kXStrides + d);
    indices_at += k * parameter(kIndicesStrides + d);
    word += k * parameter(kWordOf + d);
    i = quotient;
  }
  uint place = indices[indices_at];
  if (indices[indices_at + 1u] != 0u || place >= p.places) return;
  store_element(kType, place_at(place) + word, bits_of(kType, x[word_at(kType, x_at)], x_at));
}
// SPDX-License-Identifier: Apache-2.0

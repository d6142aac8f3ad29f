// Elements of x put where their indices say; before that, with kFill, zeros everywhere. An index
// outside y puts nothing (index_check.comp reports it).
#version 450
#extension GL_GOOGLE_include_directive : require
#define PARAMETER_BINDING 3
#define PARAMETER_VECTORS 14
#include "grid.glsl"
#include "parameters.glsl"

layout(constant_id = 0) const uint kType = 0u;  // by its size
layout(constant_id = 1) const bool kFill = false;
layout(constant_id = 2) const bool kWide = false;  // elements of two words

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer Indices { uint indices[]; };  // two words each
layout(set = 0, binding = 2) buffer Y { uint y[]; };

layout(push_constant) uniform Push { uint count, x_skip, indices_skip, y_skip, places; } p;

#include "elements.glsl"

// The words of the parameter block; dims innermost first.
const uint kYRank = 0u, kYDims = 1u, kYStrides = 9u;
const uint kRank = 17u, kDims = 18u, kXStrides = 27u, kIndicesStrides = 36u, kWordOf = 45u;

// Where in y a place lies that is counted row-major.
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

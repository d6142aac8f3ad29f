// Family move: y = x, or y = a constant, elements of one or two bytes or of whole words: bits move as
// they are, so NaN payloads live.
/* words
use each_element
spec
  uint store  // as each_element.glsl has it
  bool fill
  uint type
push
  uint count, rank, x_skip, y_skip
  uint value[2]  // with kFill in place of x
  uint dims[8], x_strides[8], y_strides[8]  // innermost first; x's may be negative modulo 2^32
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "move.words.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Y { uint y[]; };

#include "each_element.glsl"

uint element(uint i, out uint y_at) {
  uint x_at = p.x_skip;
  y_at = p.y_skip;
  for (uint d = 0u; d + 1u < p.rank; ++d) {
    uint quotient = i / p.dims[d];
    uint k = i - quotient * p.dims[d];
    x_at += k * p.x_strides[d];
    y_at += k * p.y_strides[d];
    i = quotient;
  }
  uint last = p.rank - 1u;
  x_at += i * p.x_strides[last];
  y_at += i * p.y_strides[last];
  if (kFill) return p.value[x_at] & mask_of(kType);
  return bits_of(kType, x[word_at(kType, x_at)], x_at);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0

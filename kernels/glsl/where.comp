// y = condition ? a : b, elements of one byte or of whole words, any strides.
/* words
use each_element
spec
  uint store  // as each_element.glsl has it
  uint type  // of a, b and y: kBool for any of a byte
push
  uint count, rank, condition_skip, a_skip, b_skip, y_skip
  uint dims[5], condition_strides[5], a_strides[5], b_strides[5], y_strides[5]  // innermost first
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "where.words.glsl"

layout(set = 0, binding = 0) readonly buffer Condition { uint condition[]; };
layout(set = 0, binding = 1) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) readonly buffer B { uint b[]; };
layout(set = 0, binding = 3) buffer Y { uint y[]; };

#include "each_element.glsl"

uint element(uint i, out uint y_at) {
  uint condition_at = p.condition_skip, a_at = p.a_skip, b_at = p.b_skip;
  y_at = p.y_skip;
  for (uint d = 0u; d < p.rank; ++d) {
    uint quotient = d + 1u < p.rank ? i / p.dims[d] : 0u;
    uint k = i - quotient * p.dims[d];
    condition_at += k * p.condition_strides[d];
    a_at += k * p.a_strides[d];
    b_at += k * p.b_strides[d];
    y_at += k * p.y_strides[d];
    i = quotient;
  }
  if (bits_of(kBool, condition[condition_at / 4u], condition_at) != 0u) {
    return bits_of(kType, a[word_at(kType, a_at)], a_at);
  }
  return bits_of(kType, b[word_at(kType, b_at)], b_at);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0

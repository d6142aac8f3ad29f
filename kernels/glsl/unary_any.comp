// Family unary over integers of up to 32 bits and bool, any strides.
/* words
use each_element
use integers
spec
  uint store  // as each_element.glsl has it
  Op op
  uint type  // as integers.glsl has them
push
  uint count, rank, x_skip, y_skip
  uint dims[8], x_strides[8], y_strides[8]  // innermost first
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "unary_any.words.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "integers.glsl"

// Integers wrap: the lowest has no positive counterpart.
uint apply(uint x) {
  if (kOp == kOpAbs) return int(x) < 0 ? 0u - x : x;
  if (kOp == kOpNeg) return 0u - x;
  if (kOp == kOpSign) return uint(int(x) > 0 ? 1 : int(x) < 0 ? -1 : 0);
  if (kOp == kOpBitwiseNot) return ~x;
  return x == 0u ? 1u : 0u;
}

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
  int number = number_of(kType, x[word_at(kType & 3u, x_at)], x_at);
  return apply(uint(number)) & mask_of(kStored);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0

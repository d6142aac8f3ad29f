// y = min(max(x, low), high) with bounds that are data, for float32 and integers of up to 32 bits,
// any strides.
/* words
use activation
use each_element
use integers
spec
  uint store  // as each_element.glsl has it
  uint type  // as integers.glsl has them
  bool has_low = true  // else the bound in the push words
  bool has_high = true
push
  uint count, rank, x_skip, low_skip, high_skip, y_skip
  uint low, high  // a number's bits
  uint dims[8], x_strides[8], y_strides[8]  // innermost first
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "clip.words.glsl"
#include "activation.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer Low { uint low_data[]; };
layout(set = 0, binding = 2) readonly buffer High { uint high_data[]; };
layout(set = 0, binding = 3) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "integers.glsl"

int number(uint word, uint at) { return number_of(kType, word, at); }

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
  int v = number(x[word_at(kStored, x_at)], x_at);
  int low = kHasLow ? number(low_data[word_at(kStored, p.low_skip)], p.low_skip) : int(p.low);
  int high = kHasHigh ? number(high_data[word_at(kStored, p.high_skip)], p.high_skip) : int(p.high);
  if (kType == kFloat) {
    return floatBitsToUint(clip(intBitsToFloat(v), intBitsToFloat(low), intBitsToFloat(high)));
  }
  return uint(min(max(v, low), high)) & mask_of(kStored);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0

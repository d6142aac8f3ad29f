// svdf, of float32 or of integers to the bit as the CPU does it: a pass over the elements of the next
// state, of which the last of each feature is a product with x, and one over the results.
/* words
use requantize
use each_element
use integers
enum Pass = Remember, Results
spec
  uint store  // as each_element.glsl has it
  Pass pass
  uint type_x  // of x, features and y, as integers.glsl has them
  uint type_state  // of the states and times
  bool has_bias
  Rounding rounding
push
  uint count, y_skip
parameters
  uint rank, a_skip, b_skip, c_skip
  uint columns  // of what the pass writes
  uint length   // of a row of the second operand
  uint group    // elements of a feature's memory; features of a unit
  int zero_point, multiplier, shift
  OutputWords output
  uint a_strides[2], b_strides[2], c_strides[2]
  pad 1
  walk 2        // over what the pass writes, and its number
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "svdf.words.glsl"
#include "parameters.glsl"
#include "wide.glsl"
#include "requantize.glsl"

// Remember: x, features, state, next. Results: next, times, bias, y.
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) readonly buffer C { uint c[]; };
layout(set = 0, binding = 3) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "integers.glsl"

#include "walk.glsl"

// The second operand's row times elements of the first from column `first` on, of row `row`.
int integer_product(uint type, uint row, uint first, uint b_row) {
  uint a_at = parameter(kASkip) + row * parameter(kAStrides) + first * parameter(kAStrides + 1u);
  uint b_at = parameter(kBSkip) + b_row * parameter(kBStrides);
  int sum = 0;
  for (uint i = 0u; i < parameter(kLength); ++i) {
    int left = number_of(type, a[word_at(type & 3u, a_at)], a_at) - int(parameter(kZeroPoint));
    sum += left * number_of(type, b[word_at(type & 3u, b_at)], b_at);
    a_at += parameter(kAStrides + 1u);
    b_at += parameter(kBStrides + 1u);
  }
  return sum;
}

float float_product(uint row, uint first, uint b_row) {
  uint a_at = parameter(kASkip) + row * parameter(kAStrides) + first * parameter(kAStrides + 1u);
  uint b_at = parameter(kBSkip) + b_row * parameter(kBStrides);
  float sum = 0.0;
  for (uint i = 0u; i < parameter(kLength); ++i) {
    sum += uintBitsToFloat(a[a_at]) * uintBitsToFloat(b[b_at]);
    a_at += parameter(kAStrides + 1u);
    b_at += parameter(kBStrides + 1u);
  }
  return sum;
}

uint finished_sum(int sum) {
  Limits limits = output_limits();
  return uint(finished(sum, int(parameter(kMultiplier)), int(parameter(kShift)), kRounding, limits));
}

// The element remembered a time later or, for a feature's last, its product with x.
uint remembered(uint row, uint column) {
  uint memory = parameter(kGroup);
  uint feature = column / memory;
  if (column + 1u != (feature + 1u) * memory) {
    uint at = parameter(kCSkip) + row * parameter(kCStrides) + (column + 1u) * parameter(kCStrides + 1u);
    return bits_of(kTypeState & 3u, c[word_at(kTypeState & 3u, at)], at);
  }
  if (kTypeX == kFloat) return floatBitsToUint(float_product(row, 0u, feature));
  return finished_sum(integer_product(kTypeX, row, 0u, feature));
}

uint result_of(uint row, uint unit) {
  uint bias = kHasBias ? c[parameter(kCSkip) + unit * parameter(kCStrides)] : 0u;
  uint first = unit * parameter(kGroup), end = first + parameter(kGroup);
  if (kTypeX == kFloat) {
    float sum = uintBitsToFloat(bias);
    for (uint f = first; f < end; ++f) sum += float_product(row, f * parameter(kLength), f);
    return floatBitsToUint(sum);
  }
  int sum = int(bias);
  for (uint f = first; f < end; ++f) {
    sum += integer_product(kTypeState, row, f * parameter(kLength), f);
  }
  return finished_sum(sum);
}

uint element(uint i, out uint y_at) {
  uint at[2] = uint[2](p.y_skip, 0u);
  walk(i, parameter(kRank), at);
  y_at = at[0];
  uint row = at[1] / parameter(kColumns);
  uint column = at[1] - row * parameter(kColumns);
  return (kPass == kRemember ? remembered(row, column) : result_of(row, column)) & mask_of(kStored);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0

// Quantized values element by element: to and from floats, sums, products, other scales, tables of
// results. The same bits as the CPU's.
/* words
use requantize
use each_element
use integers
use scaled_sum
spec
  uint store  // as each_element.glsl has it
  Op op
  uint type_x  // as integers.glsl has them
  uint type_b  // of the second integer
  bool has_zero_point
  Rounding rounding
  bool between  // places of a table
push
  uint count, y_skip
parameters
  uint rank, x_skip, a_skip, b_skip
  ScaledSumWords scaled
  OutputWords output
  uint table_stride
  int lowest  // number of x, of a table
  pad 1
  walk 4
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "integer.words.glsl"
#include "parameters.glsl"
#include "numbers.glsl"
#include "wide.glsl"
#include "requantize.glsl"
#include "float_quotient.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer A { uint a[]; };  // the second operand: integers, scales, a table
layout(set = 0, binding = 2) readonly buffer B { uint b[]; };  // zero points
layout(set = 0, binding = 3) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "integers.glsl"

#include "walk.glsl"
#include "scaled_sum.glsl"

int by_multiplier(int number, uint i) {
  return finished(number, multiplier(i), shift(i), kRounding, output_limits());
}

// The entry at `place` of a table that begins at `first`.
uint entry(uint first, uint place) {
  uint at = first + place * parameter(kTableStride);
  return bits_of(kTypeB, a[word_at(kTypeB, at)], at);
}

// As portable_fallback/shared/interpolate.h has it.
uint entry_between(uint first, int x) {
  uint place = uint(256 + (x >> 7));
  int value = int(entry(first, place) << 16) >> 16, next = int(entry(first, place + 1u) << 16) >> 16;
  int slope = ((next - value) << 16) >> 16;
  return uint(value + ((slope * (x & 0x7f) + 64) >> 7));
}

uint result(uint i, out uint y_at) {
  uint at[4] = uint[4](parameter(kXSkip), parameter(kASkip), parameter(kBSkip), p.y_skip);
  walk(i, parameter(kRank), at);
  y_at = at[3];
  uint x_word = x[word_at(kTypeX & 3u, at[0])];
  if (kOp == kOpQuantize) {
    int zero_point = kHasZeroPoint ? number_of(kTypeB, b[word_at(kTypeB & 3u, at[2])], at[2]) : 0;
    Limits limits = output_limits();
    limits.zero_point = zero_point;
    if (is_nan_quotient(x_word, a[at[1]])) return uint(zero_point);
    return uint(limited_result(rounded_quotient(x_word, a[at[1]], kRounding == kHalfEven), limits));
  }
  int number = number_of(kTypeX, x_word, at[0]);
  if (kOp == kOpDequantize) {
    int zero_point = kHasZeroPoint ? number_of(kTypeX, b[word_at(kTypeX & 3u, at[2])], at[2]) : 0;
    int center = int(uint(number) - uint(zero_point));
    return floatBitsToUint(float(center) * uintBitsToFloat(a[at[1]]));
  }
  if (kOp == kOpLookup) {
    // Walked like an operand of stride 0: at is where the table begins, or its second words.
    if (kBetween) return entry_between(at[1], number);
    return entry(at[1], uint(number) - parameter(kLowest));
  }
  number = centered(number, 0u);
  if (kOp == kOpRequantize) return uint(by_multiplier(number, 0u));
  int second = centered(number_of(kTypeB, a[word_at(kTypeB & 3u, at[1])], at[1]), 1u);
  if (kOp == kOpQuantizedAdd) return uint(sum_or_difference(number, second, kRounding, output_limits()));
  if (kOp == kOpQuantizedMul) return uint(by_multiplier(number * second, 0u));
  return uint(number < 0 ? by_multiplier(number * second, 1u) : by_multiplier(number, 0u));
}

uint element(uint i, out uint y_at) { return result(i, y_at) & mask_of(kStored); }

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0

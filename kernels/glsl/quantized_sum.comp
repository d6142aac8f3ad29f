// Sums and means of integers over each row, requantized: the same bits as the CPU's, since they
// wrap. A row is one invocation's work, or a whole group's where it is long, or a group does four rows of bytes that
// lie side by side. Very long ones are added up in two passes.
/* words
use requantize
use rows
use elements
use integers
spec
  bool group
  Op op
  uint type, type_y  // as integers.glsl has them
  bool parts  // y has the sums themselves, for another pass
  bool words  // a group does four rows, whose elements are words of x
  Rounding rounding
push RowsPush
parameters
  uint count  // elements of a result, of all passes
  int x_zero_point, multiplier, shift
  OutputWords output
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "quantized_sum.words.glsl"
#include "grid.glsl"
#include "parameters.glsl"
#include "wide.glsl"
#include "requantize.glsl"
#include "rows.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Y { uint y[]; };

#include "elements.glsl"
#include "integers.glsl"

const uint kAtOnce = 8u;  // elements that an invocation loads at once

shared ivec4 parts[64];  // of up to four rows

// An element of one row, or of four.
ivec4 numbers_at(uint at) {
  if (kWords) return numbers_of(kType, x[at >> 2]);
  return ivec4(number_of(kType, x[word_at(kType & 3u, at)], at), 0, 0, 0);
}

void main() {
  uint row = kGroup ? grid_group() * (kWords ? 4u : 1u) : grid_index();
  if (row >= p.rows) return;  // a whole group returns, or nobody waits at a barrier
  uint first = kGroup ? gl_LocalInvocationID.x : 0u;
  uint step = kGroup ? 64u : 1u;
  uint x_at, y_at;
  row_start(row, x_at, y_at);

  // Several loads are under way at once, since each takes as long as many sums.
  ivec4 sums = ivec4(0);
  uint i = first;
  for (; i + (kAtOnce - 1u) * step < p.elements; i += kAtOnce * step) {
    ivec4 v[kAtOnce];
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) v[k] = numbers_at(x_at + x_element(i + k * step));
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) sums += v[k];
  }
  for (; i < p.elements; i += step) sums += numbers_at(x_at + x_element(i));
  int sum = sums.x;
  if (kGroup) {
    parts[first] = sums;
    for (uint others = 32u; others > 0u; others /= 2u) {
      barrier();
      if (first < others) parts[first] += parts[first + others];
    }
    if (kWords) {
      barrier();
      if (first >= 4u) return;
      row_start(row + first, x_at, y_at);
    } else if (first != 0u) {
      return;
    }
    sum = parts[0][first];
  }
  if (!kParts) {
    sum = finished(sum - int(parameter(kCount)) * int(parameter(kXZeroPoint)), int(parameter(kMultiplier)),
                   int(parameter(kShift)), kRounding, output_limits());
  }
  store_element(kTypeY & 3u, y_at, uint(sum));
}
// SPDX-License-Identifier: Apache-2.0

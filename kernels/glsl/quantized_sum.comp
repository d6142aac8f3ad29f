// Sums and means of integers over each row, requantized: the same bits as the CPU's, since they
// wrap. A row is one invocation's work, or a whole group's where it is long; very long ones are added up in two
// passes.
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

shared int parts[64];

int number_at(uint at) { return number_of(kType, x[word_at(kType & 3u, at)], at); }

void main() {
  uint row = kGroup ? grid_group() : grid_index();
  if (row >= p.rows) return;  // a whole group returns, or nobody waits at a barrier
  uint first = kGroup ? gl_LocalInvocationID.x : 0u;
  uint step = kGroup ? 64u : 1u;
  uint x_at, y_at;
  row_start(row, x_at, y_at);

  // Several loads are under way at once, since each takes as long as many sums.
  int sum = 0;
  uint i = first;
  for (; i + (kAtOnce - 1u) * step < p.elements; i += kAtOnce * step) {
    int v[kAtOnce];
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) v[k] = number_at(x_at + x_element(i + k * step));
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) sum += v[k];
  }
  for (; i < p.elements; i += step) sum += number_at(x_at + x_element(i));
  if (kGroup) {
    parts[first] = sum;
    for (uint others = 32u; others > 0u; others /= 2u) {
      barrier();
      if (first < others) parts[first] += parts[first + others];
    }
    if (first != 0u) return;
    sum = parts[0];
  }
  if (!kParts) {
    sum = finished(sum - int(parameter(kCount)) * int(parameter(kXZeroPoint)), int(parameter(kMultiplier)),
                   int(parameter(kShift)), kRounding, output_limits());
  }
  store_element(kTypeY & 3u, y_at, uint(sum));
}
// SPDX-License-Identifier: Apache-2.0

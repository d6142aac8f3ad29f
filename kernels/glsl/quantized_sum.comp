// Sums and means of integers over each row, requantized: the same bits as the CPU's, since they
// wrap. A row is one invocation's work, or a whole group's where it is long.
/* words
use requantize
use rows
use elements
use integers
spec
  bool group
  Op op
  uint type  // of x and y, as integers.glsl has them
  Rounding rounding
push RowsPush
parameters
  int x_zero_point, multiplier, shift
  OutputWords output
*/
#version 450
#extension GL_GOOGLE_include_directive : require
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

shared int parts[64];

void main() {
  uint row = kGroup ? grid_group() : grid_index();
  if (row >= p.rows) return;  // a whole group returns, or nobody waits at a barrier
  uint first = kGroup ? gl_LocalInvocationID.x : 0u;
  uint step = kGroup ? 64u : 1u;
  uint x_at, y_at;
  row_start(row, x_at, y_at);

  int sum = 0;
  for (uint i = first; i < p.elements; i += step) {
    uint at = x_at + x_element(i);
    sum += number_of(kType, x[word_at(kType & 3u, at)], at);
  }
  if (kGroup) {
    parts[first] = sum;
    barrier();
    if (first != 0u) return;
    sum = 0;
    for (uint i = 0u; i < 64u; ++i) sum += parts[i];
  }
  Limits limits = output_limits();
  int result = finished(sum - int(p.elements) * int(parameter(kXZeroPoint)),
                        int(parameter(kMultiplier)), int(parameter(kShift)), kRounding, limits);
  store_element(kType & 3u, y_at, uint(result));
}
// SPDX-License-Identifier: Apache-2.0

// Family softmax: y = exp(x - max) / sum over each row, or its logarithm. A row is one invocation's
// work, or a group's where it is long.
/* words
use rows
spec
  bool group
  Op op
push RowsPush
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "softmax.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "floats.glsl"
#include "functions.glsl"
#include "rows.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { stored y[]; };

shared float parts[64];

void main() {
  uint row = kGroup ? grid_group() : grid_index();
  if (row >= p.rows) return;  // a whole group returns, or nobody waits at a barrier
  uint first = kGroup ? gl_LocalInvocationID.x : 0u;
  uint step = kGroup ? 64u : 1u;
  uint x_at, y_at;
  row_start(row, x_at, y_at);

  float most = uintBitsToFloat(0xff800000u);  // -inf
  for (uint i = first; i < p.elements; i += step) {
    float v = float(x[x_at + x_element(i)]);
    most = v > most ? v : most;
  }
  if (kGroup) {
    parts[first] = most;
    barrier();
    for (uint i = 0u; i < 64u; ++i) most = parts[i] > most ? parts[i] : most;
    barrier();  // parts is about to be written again
  }

  float sum = 0.0;
  for (uint i = first; i < p.elements; i += step) sum += exp_or_nan(float(x[x_at + x_element(i)]) - most);
  if (kGroup) {
    parts[first] = sum;
    barrier();
    sum = 0.0;
    for (uint i = 0u; i < 64u; ++i) sum += parts[i];
  }

  for (uint i = first; i < p.elements; i += step) {
    float v = float(x[x_at + x_element(i)]) - most;
    y[y_at + y_element(i)] =
        store(kOp == kOpLogSoftmax ? v - log_of_any(sum) : exp_or_nan(v) / sum);
  }
}
// SPDX-License-Identifier: Apache-2.0

// Family softmax: y = exp(x - max) / sum over each row, or its logarithm. A row is a group's work,
// whose subgroups reduce what their invocations found without shared memory between them.
/* words
use rows
spec
  bool group
  Op op
push RowsPush
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "softmax_subgroup.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "floats.glsl"
#include "functions.glsl"
#include "rows.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { stored y[]; };

shared float parts[64];  // of the subgroups, 64 of them at most

float group_max(float v) {
  v = subgroupMax(v);
  if (subgroupElect()) parts[gl_SubgroupID] = v;
  barrier();
  for (uint i = 0u; i < gl_NumSubgroups; ++i) v = parts[i] > v ? parts[i] : v;
  barrier();  // parts is about to be written again
  return v;
}

float group_sum(float v) {
  v = subgroupAdd(v);
  if (subgroupElect()) parts[gl_SubgroupID] = v;
  barrier();
  float sum = 0.0;
  for (uint i = 0u; i < gl_NumSubgroups; ++i) sum += parts[i];
  return sum;
}

void main() {
  uint row = grid_group();
  if (row >= p.rows) return;  // a whole group returns, or nobody waits at a barrier
  uint first = gl_LocalInvocationID.x;
  uint x_at, y_at;
  row_start(row, x_at, y_at);

  float most = -infinity();
  for (uint i = first; i < p.elements; i += 64u) {
    float v = float(x[x_at + x_element(i)]);
    most = v > most ? v : most;
  }
  most = group_max(most);

  float sum = 0.0;
  for (uint i = first; i < p.elements; i += 64u) sum += exp_or_nan(float(x[x_at + x_element(i)]) - most);
  sum = group_sum(sum);

  for (uint i = first; i < p.elements; i += 64u) {
    float v = float(x[x_at + x_element(i)]) - most;
    y[y_at + y_element(i)] =
        store(kOp == kOpLogSoftmax ? v - log_of_any(sum) : exp_or_nan(v) / sum);
  }
}
// SPDX-License-Identifier: Apache-2.0

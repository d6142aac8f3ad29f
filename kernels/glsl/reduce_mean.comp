// y = mean of each row: a row is one invocation's work, or a whole group's where it is long.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"
#include "rows.glsl"

layout(constant_id = 0) const bool kGroup = false;

layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { float y[]; };

shared float parts[64];

void main() {
  uint row = kGroup ? grid_group() : grid_index();
  if (row >= p.rows) return;  // a whole group returns, or nobody waits at a barrier
  uint first = kGroup ? gl_LocalInvocationID.x : 0u;
  uint step = kGroup ? 64u : 1u;
  uint x_at, y_at;
  row_start(row, x_at, y_at);

  float sum = 0.0;
  for (uint i = first; i < p.elements; i += step) sum += x[x_at + x_element(i)];
  if (kGroup) {
    parts[first] = sum;
    barrier();
    if (first != 0u) return;
    sum = 0.0;
    for (uint i = 0u; i < 64u; ++i) sum += parts[i];
  }
  y[y_at] = sum / float(p.elements);
}
// SPDX-License-Identifier: Apache-2.0

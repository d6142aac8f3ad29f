// Sums and means of integers over each row, requantised: the same bits as the CPU's, since they
// wrap. A row is one invocation's work, or a whole group's where it is long.
#version 450
#extension GL_GOOGLE_include_directive : require
#define PARAMETER_BINDING 2
#define PARAMETER_VECTORS 2
#include "grid.glsl"
#include "parameters.glsl"
#include "wide.glsl"
#include "requantise.glsl"
#include "rows.glsl"

layout(constant_id = 0) const bool kGroup = false;
layout(constant_id = 2) const uint kType = 0u;  // of x and y, as integers.glsl has them
layout(constant_id = 3) const uint kRounding = 0u;

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Y { uint y[]; };

#include "elements.glsl"
#include "integers.glsl"

// The words of the parameter block.
const uint kXZeroPoint = 0u, kMultiplier = 1u, kShift = 2u, kOutput = 3u;

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
  Limits limits = Limits(int(parameter(kOutput)), int(parameter(kOutput + 1u)),
                         int(parameter(kOutput + 2u)));
  int result = finished(sum - int(p.elements) * int(parameter(kXZeroPoint)),
                        int(parameter(kMultiplier)), int(parameter(kShift)), kRounding, limits);
  store_element(kType & 3u, y_at, uint(result));
}
// SPDX-License-Identifier: Apache-2.0

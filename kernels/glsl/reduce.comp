// Family reduce: y from the elements of each row, which is one invocation's work, or a whole group's
// where it is long.
/* words
use rows
spec
  bool group
  Op op
  bool wide_y  // y is float32 whatever x is
push RowsPush
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "reduce.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "floats.glsl"
#include "functions.glsl"
#include "rows.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { stored y[]; };
layout(set = 0, binding = 1) writeonly buffer WideY { float wide_y[]; };

const uint kAtOnce = 8u;  // elements that an invocation loads at once

shared float parts[64];

// The first value of members that do not add up their elements.
float start() {
  if (kOp == kOpReduceProd) return 1.0;
  if (kOp == kOpReduceMax) return -infinity();
  if (kOp == kOpReduceMin) return infinity();
  return 0.0;
}

// Combines the results of two invocations of a group.
float join(float a, float b) {
  if (kOp == kOpReduceProd) return a * b;
  if (kOp == kOpReduceMax) return is_nan(a) ? a : is_nan(b) || b > a ? b : a;
  if (kOp == kOpReduceMin) return is_nan(a) ? a : is_nan(b) || b < a ? b : a;
  return a + b;
}

float add(float result, float v) {
  if (kOp == kOpReduceL1) return result + abs(v);
  if (kOp == kOpReduceL2 || kOp == kOpReduceSumSquare) return result + v * v;
  return join(result, v);
}

float finish(float result, uint count) {
  if (kOp == kOpReduceL2) return sqrt_of_any(result);
  if (kOp == kOpReduceLogSum) return log_of_any(result);
  if (kOp == kOpReduceMean) return result / float(count);
  return result;
}

void main() {
  uint row = kGroup ? grid_group() : grid_index();
  if (row >= p.rows) return;  // a whole group returns, or nobody waits at a barrier
  uint first = kGroup ? gl_LocalInvocationID.x : 0u;
  uint step = kGroup ? 64u : 1u;
  uint x_at, y_at;
  row_start(row, x_at, y_at);

  // Several loads are under way at once, since each takes as long as many sums.
  float result = start();
  uint i = first;
  for (; i + (kAtOnce - 1u) * step < p.elements; i += kAtOnce * step) {
    float v[kAtOnce];
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) v[k] = float(x[x_at + x_element(i + k * step)]);
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) result = add(result, v[k]);
  }
  for (; i < p.elements; i += step) result = add(result, float(x[x_at + x_element(i)]));
  if (kGroup) {
    parts[first] = result;
    for (uint others = 32u; others > 0u; others /= 2u) {
      barrier();
      if (first < others) parts[first] = join(parts[first], parts[first + others]);
    }
    if (first != 0u) return;
    result = parts[0];
  }
  float v = finish(result, p.elements);
  if (kWideY) {
    wide_y[y_at] = v;
  } else {
    y[y_at] = store(v);
  }
}
// SPDX-License-Identifier: Apache-2.0

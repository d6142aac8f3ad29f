// Family reduce over integers of up to 32 bits and bool, to the bit as the CPU does it: sums and products wrap, whatever
// their order. A row is one invocation's work, or a whole group's where it is long.
/* words
use rows
use elements
use integers
spec
  bool group
  Op op
  uint type  // as integers.glsl has them
  int lowest
  int highest
push RowsPush
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "reduce_any.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "division.glsl"
#include "rows.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Y { uint y[]; };

#include "elements.glsl"
#include "integers.glsl"

shared int parts[64];

// The first value of members that do not add up their elements.
int start() {
  if (kOp == kOpReduceProd) return 1;
  if (kOp == kOpReduceMax) return kLowest;
  if (kOp == kOpReduceMin) return kHighest;
  return 0;
}

// Combines the results of two invocations of a group.
int join(int a, int b) {
  if (kOp == kOpReduceProd) return a * b;
  if (kOp == kOpReduceMax) return max(a, b);
  if (kOp == kOpReduceMin) return min(a, b);
  return a + b;
}

int add(int result, int v) {
  if (kOp == kOpReduceL1) return result + int(magnitude_of(v));
  if (kOp == kOpReduceSumSquare) return result + v * v;
  return join(result, v);
}

int finish(int result, uint count) {
  return kOp == kOpReduceMean ? quotient_of(result, int(count)) : result;
}

void main() {
  uint row = kGroup ? grid_group() : grid_index();
  if (row >= p.rows) return;  // a whole group returns, or nobody waits at a barrier
  uint first = kGroup ? gl_LocalInvocationID.x : 0u;
  uint step = kGroup ? 64u : 1u;
  uint x_at, y_at;
  row_start(row, x_at, y_at);

  int result = start();
  for (uint i = first; i < p.elements; i += step) {
    uint at = x_at + x_element(i);
    result = add(result, number_of(kType, x[word_at(kType & 3u, at)], at));
  }
  if (kGroup) {
    parts[first] = result;
    barrier();
    if (first != 0u) return;
    result = start();
    for (uint i = 0u; i < 64u; ++i) result = join(result, parts[i]);
  }
  store_element(kType & 3u, y_at, uint(finish(result, p.elements)));
}
// SPDX-License-Identifier: Apache-2.0

// y = d / norm * scale + bias over each row: a row is one invocation's work, or a group's where it is
// long. The mean first, then the norm of the differences to it.
#version 450
#extension GL_GOOGLE_include_directive : require
#define PARAMETER_BINDING 4
#define PARAMETER_VECTORS 13
#include "grid.glsl"
#include "numbers.glsl"
#include "parameters.glsl"

layout(constant_id = 0) const bool kGroup = false;
layout(constant_id = 1) const uint kNorm = 0u;  // of ops/attributes.h
layout(constant_id = 2) const bool kHasScale = false;
layout(constant_id = 3) const bool kHasBias = false;

const uint kDeviation = 0u, kMeanSquare = 1u, kSquares = 2u, kMagnitudes = 3u;

layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) readonly buffer Scale { float scale[]; };
layout(set = 0, binding = 2) readonly buffer Bias { float bias[]; };
layout(set = 0, binding = 3) writeonly buffer Y { float y[]; };

// The words of the parameter block.
const uint kRows = 0u, kKeptRank = 1u, kElements = 2u, kRowRank = 3u;
const uint kSkips = 4u;  // of x, scale, bias and y
const uint kEpsilon = 8u, kMargin = 9u, kLeast = 10u;
const uint kDims = 12u;  // kept ones, innermost first, then a row's: of each the dim and four strides

shared float parts[64];

// Adds to the places of the operands that of element `i` of `rank` dims from `first` on.
void move_to(uint i, uint first, uint rank, inout uvec4 at) {
  for (uint d = 0u; d < rank; ++d) {
    uint word = kDims + 5u * (first + d);
    uint quotient = d + 1u < rank ? i / parameter(word) : 0u;
    uint k = i - quotient * parameter(word);
    at += k * uvec4(parameter(word + 1u), parameter(word + 2u), parameter(word + 3u), parameter(word + 4u));
    i = quotient;
  }
}

uint x_element(uint i, uint first, uint rank, uint at) {
  for (uint d = 0u; d < rank; ++d) {
    uint word = kDims + 5u * (first + d);
    uint quotient = d + 1u < rank ? i / parameter(word) : 0u;
    at += (i - quotient * parameter(word)) * parameter(word + 1u);
    i = quotient;
  }
  return at;
}

// Of what the invocations of a group found.
float sum_of_group(float sum) {
  if (!kGroup) return sum;
  parts[gl_LocalInvocationID.x] = sum;
  barrier();
  sum = 0.0;
  for (uint i = 0u; i < 64u; ++i) sum += parts[i];
  barrier();  // parts may be written again
  return sum;
}

void main() {
  uint row = kGroup ? grid_group() : grid_index();
  if (row >= parameter(kRows)) return;  // a whole group returns, or nobody waits at a barrier
  uint first = kGroup ? gl_LocalInvocationID.x : 0u;
  uint step = kGroup ? 64u : 1u;
  uint kept = parameter(kKeptRank), rank = parameter(kRowRank), elements = parameter(kElements);
  uvec4 start = uvec4(parameter(kSkips), parameter(kSkips + 1u), parameter(kSkips + 2u), parameter(kSkips + 3u));
  move_to(row, 0u, kept, start);

  float mean = 0.0;
  if (kNorm == kDeviation) {
    float sum = 0.0;
    for (uint i = first; i < elements; i += step) sum += x[x_element(i, kept, rank, start.x)];
    mean = sum_of_group(sum) / float(elements);
  }
  float sum = 0.0;
  for (uint i = first; i < elements; i += step) {
    float d = x[x_element(i, kept, rank, start.x)] - mean;
    sum += kNorm == kMagnitudes ? abs(d) : d * d;
  }
  float norm = sum_of_group(sum);
  if (kNorm == kDeviation || kNorm == kMeanSquare) norm /= float(elements);
  if (kNorm != kMagnitudes) {
    norm += float_parameter(kEpsilon);
    norm = is_nan(norm) || is_zero(norm) || is_infinite(norm) ? norm : sqrt(norm);
  }
  norm += float_parameter(kMargin);
  // Compilers may turn the comparison around, which a NaN would pass.
  if (!is_nan(norm) && norm < float_parameter(kLeast)) norm = float_parameter(kLeast);

  for (uint i = first; i < elements; i += step) {
    uvec4 at = start;
    move_to(i, kept, rank, at);
    float v = is_zero(norm) ? 0.0 : (x[at.x] - mean) / norm;
    if (kHasScale) v *= scale[at.y];
    if (kHasBias) v += bias[at.z];
    y[at.w] = v;
  }
}
// SPDX-License-Identifier: Apache-2.0

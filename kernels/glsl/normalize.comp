// y = d / norm * scale + bias over each row: a row is one invocation's work, or a group's where it is
// long. The mean first, then the norm of the differences to it.
/* words
enum Norm from ops/attributes.h
struct Dim
  uint size, strides[4]  // of x, scale, bias, y
spec
  bool group
  Norm norm
  bool has_scale
  bool has_bias
parameters
  uint rows, kept_rank, elements, row_rank, x_skip, scale_skip, bias_skip, y_skip
  float epsilon, margin, least
  pad 1
  Dim dims[8]  // kept ones, innermost first, then a row's
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "normalize.words.glsl"
#include "grid.glsl"
#include "numbers.glsl"
#include "floats.glsl"
#include "parameters.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 1) readonly buffer Scale { stored scale[]; };
layout(set = 0, binding = 2) readonly buffer Bias { stored bias[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };

shared float parts[64];

// Adds to the places of the operands that of element `i` of `rank` dims from `first` on.
void move_to(uint i, uint first, uint rank, inout uvec4 at) {
  for (uint d = 0u; d < rank; ++d) {
    uint word = kDims + kDimWords * (first + d);
    uint quotient = d + 1u < rank ? i / parameter(word) : 0u;
    uint k = i - quotient * parameter(word);
    at += k * uvec4(parameter(word + kDimStrides), parameter(word + kDimStrides + 1u),
                    parameter(word + kDimStrides + 2u), parameter(word + kDimStrides + 3u));
    i = quotient;
  }
}

uint x_element(uint i, uint first, uint rank, uint at) {
  for (uint d = 0u; d < rank; ++d) {
    uint word = kDims + kDimWords * (first + d);
    uint quotient = d + 1u < rank ? i / parameter(word) : 0u;
    at += (i - quotient * parameter(word)) * parameter(word + kDimStrides);
    i = quotient;
  }
  return at;
}

// Combines the results of a group's invocations.
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
  uvec4 start = uvec4(parameter(kXSkip), parameter(kScaleSkip), parameter(kBiasSkip), parameter(kYSkip));
  move_to(row, 0u, kept, start);

  float mean = 0.0;
  if (kNorm == kDeviation) {
    float sum = 0.0;
    for (uint i = first; i < elements; i += step) sum += float(x[x_element(i, kept, rank, start.x)]);
    mean = sum_of_group(sum) / float(elements);
  }
  float sum = 0.0;
  for (uint i = first; i < elements; i += step) {
    float d = float(x[x_element(i, kept, rank, start.x)]) - mean;
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
    float v = is_zero(norm) ? 0.0 : (float(x[at.x]) - mean) / norm;
    if (kHasScale) v *= float(scale[at.y]);
    if (kHasBias) v += float(bias[at.z]);
    y[at.w] = store(v);
  }
}
// SPDX-License-Identifier: Apache-2.0

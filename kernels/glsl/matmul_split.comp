// y = activation(alpha * a*b + beta * c) for a batch of matrices with few elements in y and many in
// each sum: first invocations add up parts of the sums side by side, then the parts are added.
/* words
use activation
use weights
struct Matrix
  uint skip, row_stride, column_stride
spec
  bool add_parts  // the second pass
  ActivationKind activation
  bool has_c
  bool panels  // b in panels
  bool vectors_a  // four k of a row of a are an aligned vec4
  bool vectors_b  // four columns of a row of b are, too
  WeightsType weights  // the type of b
parameters
  uint rows, columns, depth, parts, part_depth, batches, batch_rank
  float alpha, beta, activation_a, activation_b
  Matrix matrices[4]                           // a, b, c, y
  uint batch_dims[6], batch_strides[4][6]  // innermost first; of a, then b, c, y
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "matmul_split.words.glsl"
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"
#include "parameters.glsl"

#include "weights.glsl"

// First pass: a, b (of type kWeights), parts. Second pass: parts, c, y.
layout(set = 0, binding = 0) readonly buffer Left { stored left[]; };
layout(set = 0, binding = 0) readonly buffer Left4 { stored4 left4[]; };
layout(set = 0, binding = 0) readonly buffer PartsIn { vec4 parts_in[]; };
layout(set = 0, binding = 1) readonly buffer C { stored c[]; };
layout(set = 0, binding = 2) writeonly buffer Result { stored result[]; };
layout(set = 0, binding = 2) writeonly buffer PartsOut { vec4 parts_out[]; };

const uint kBatchRankMax = 6u;

uint batch_offset(uint matrix, uint batch) {
  uint at = parameter(kMatrices + kMatrixWords * matrix + kMatrixSkip);
  for (uint d = 0u; d < parameter(kBatchRank); ++d) {
    uint quotient = batch / parameter(kBatchDims + d);
    uint i = batch - quotient * parameter(kBatchDims + d);
    at += i * parameter(kBatchStrides + kBatchRankMax * matrix + d);
    batch = quotient;
  }
  return at;
}
uint row_stride(uint matrix) { return parameter(kMatrices + kMatrixWords * matrix + kMatrixRowStride); }
uint column_stride(uint matrix) { return parameter(kMatrices + kMatrixWords * matrix + kMatrixColumnStride); }

// The sum of one part for four columns.
vec4 add_part(uint batch, uint row, uint column, uint part) {
  uint depth = parameter(kDepth);
  uint first = part * parameter(kPartDepth);
  uint last = min(first + parameter(kPartDepth), depth);
  uint a_at = batch_offset(0u, batch) + row * row_stride(0u);
  uint b_at, b_next;
  uvec4 b_columns = uvec4(0u, 1u, 2u, 3u);
  if (kPanels) {
    b_at = parameter(kMatrices + kMatrixWords + kMatrixSkip) + (column / 16u) * depth * 16u + column % 16u;
    b_next = 16u;
  } else {
    b_at = batch_offset(1u, batch) + column * column_stride(1u);
    b_next = row_stride(1u);
    b_columns = min(b_columns, uvec4(parameter(kColumns) - 1u - column)) * column_stride(1u);
  }
  b_at += first * b_next;
  vec4 sum = vec4(0.0);
  if (kVectorsA && kVectorsB) {
    for (uint k = first; k < last; k += 4u) {
      vec4 v = vec4(left4[(a_at + k) >> 2]);
      sum += v.x * weights_of_quad(b_at >> 2);
      sum += v.y * weights_of_quad((b_at + b_next) >> 2);
      sum += v.z * weights_of_quad((b_at + 2u * b_next) >> 2);
      sum += v.w * weights_of_quad((b_at + 3u * b_next) >> 2);
      b_at += 4u * b_next;
    }
    return sum;
  }
  for (uint k = first; k < last; ++k) {
    vec4 v = kVectorsB ? weights_of_quad(b_at >> 2) : weights_at(b_at + b_columns);
    sum += float(left[a_at + k * column_stride(0u)]) * v;
    b_at += b_next;
  }
  return sum;
}

void main() {
  uint rows = parameter(kRows), columns = parameter(kColumns), parts = parameter(kParts);
  uint quads = (columns + 3u) / 4u;
  uint results = quads * rows * parameter(kBatches);  // of a pass over the parts' sums
  uint index = grid_index();
  if (index >= (kAddParts ? results : results * parts)) return;
  uint part = index / results;
  uint rest = index - part * results;
  uint quad = rest % quads;
  uint row = rest / quads % rows;
  uint batch = rest / quads / rows;
  uint column = 4u * quad;
  if (!kAddParts) {
    parts_out[index] = add_part(batch, row, column, part);
    return;
  }
  vec4 sum = vec4(0.0);
  for (uint i = 0u; i < parts; ++i) sum += parts_in[i * results + index];
  uint c_at = batch_offset(2u, batch) + row * row_stride(2u) + column * column_stride(2u);
  uint y_at = batch_offset(3u, batch) + row * row_stride(3u) + column * column_stride(3u);
  for (uint j = 0u; j < 4u; ++j) {
    if (column + j >= columns) return;
    float v = float_parameter(kAlpha) * sum[j];
    if (kHasC) v += float_parameter(kBeta) * float(c[c_at + j * column_stride(2u)]);
    result[y_at + j * column_stride(3u)] =
        store(activate(kActivation, v, float_parameter(kActivationA), float_parameter(kActivationB)));
  }
}
// SPDX-License-Identifier: Apache-2.0

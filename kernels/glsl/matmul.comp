// y = activation(alpha * a*b + beta * c) for a batch of matrices: an invocation computes four columns
// of up to four rows, from b in panels of 16 columns or with any strides.
/* words
use activation
use weights
struct Matrix
  uint skip, row, column, inner_batch, outer_batch  // strides
spec
  uint rows = 4  // of an invocation: 1, 2 or 4
  ActivationKind activation
  bool has_c
  bool panels  // b in panels
  bool vectors_a  // four k of a row of a are an aligned vec4
  bool vectors_b  // four columns of a row of b are, too
  bool vectors_y  // and of y
  WeightsType weights  // the type of b
push
  uint count, rows, columns, depth, inner_batch
  Matrix a, b, c, y
  float alpha, beta, activation_a, activation_b
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "matmul.words.glsl"
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"

#include "weights.glsl"

layout(set = 0, binding = 0) readonly buffer A { stored a[]; };
layout(set = 0, binding = 0) readonly buffer A4 { stored4 a4[]; };
layout(set = 0, binding = 2) readonly buffer C { stored c[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };
layout(set = 0, binding = 3) writeonly buffer Y4 { stored4 y4[]; };

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint quads = (p.columns + 3u) / 4u;
  uint strips = (p.rows + kRows - 1u) / kRows;
  uint quotient = rest / quads;
  uint column = (rest - quotient * quads) * 4u;
  rest = quotient;
  quotient = rest / strips;
  uint row = (rest - quotient * strips) * kRows;
  uint outer = quotient / p.inner_batch;
  uint inner = quotient - outer * p.inner_batch;

  // The last strip of rows repeats its last row instead of leaving a.
  uint a_at[4];
  [[unroll]] for (uint r = 0u; r < 4u; ++r) {
    a_at[r] = p.a.skip + inner * p.a.inner_batch + outer * p.a.outer_batch +
              min(row + r, p.rows - 1u) * p.a.row;
  }

  uint b_at, b_next;
  if (kPanels) {
    b_at = p.b.skip + (column / 16u) * p.depth * 16u + column % 16u;
    b_next = 16u;
  } else {
    b_at = p.b.skip + inner * p.b.inner_batch + outer * p.b.outer_batch + column * p.b.column;
    b_next = p.b.row;
  }
  uvec4 b_columns;
  if (kPanels) {
    b_columns = uvec4(0u, 1u, 2u, 3u);
  } else {
    uint last = p.columns - 1u - column;
    b_columns = min(uvec4(0u, 1u, 2u, 3u), uvec4(last)) * p.b.column;
  }

  vec4 sums[4] = {vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0)};
  if (kVectorsA && kVectorsB) {
    for (uint k = 0u; k < p.depth; k += 4u) {
      vec4 b0 = weights_of_quad(b_at >> 2);
      vec4 b1 = weights_of_quad((b_at + b_next) >> 2);
      vec4 b2 = weights_of_quad((b_at + 2u * b_next) >> 2);
      vec4 b3 = weights_of_quad((b_at + 3u * b_next) >> 2);
      b_at += 4u * b_next;
      [[unroll]] for (uint r = 0u; r < 4u; ++r) {
        if (r < kRows) {
          vec4 v = vec4(a4[(a_at[r] + k) >> 2]);
          sums[r] += v.x * b0;
          sums[r] += v.y * b1;
          sums[r] += v.z * b2;
          sums[r] += v.w * b3;
        }
      }
    }
  } else {
    for (uint k = 0u; k < p.depth; ++k) {
      vec4 v;
      if (kVectorsB) {
        v = weights_of_quad(b_at >> 2);
      } else {
        v = weights_at(b_at + b_columns);
      }
      b_at += b_next;
      [[unroll]] for (uint r = 0u; r < 4u; ++r) {
        if (r < kRows) sums[r] += float(a[a_at[r] + k * p.a.column]) * v;
      }
    }
  }

  [[unroll]] for (uint r = 0u; r < 4u; ++r) {
    if (r < kRows && row + r < p.rows) {
      uint y_at = p.y.skip + inner * p.y.inner_batch + outer * p.y.outer_batch +
                  (row + r) * p.y.row + column * p.y.column;
      uint c_at = p.c.skip + inner * p.c.inner_batch + outer * p.c.outer_batch +
                  (row + r) * p.c.row + column * p.c.column;
      vec4 v = p.alpha * sums[r];
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        if (column + j < p.columns) {
          if (kHasC) v[j] += p.beta * float(c[c_at + j * p.c.column]);
          v[j] = activate(kActivation, v[j], p.activation_a, p.activation_b);
          if (!kVectorsY) y[y_at + j * p.y.column] = store(v[j]);
        }
      }
      if (kVectorsY) y4[y_at >> 2] = store4(v);
    }
  }
}
// SPDX-License-Identifier: Apache-2.0

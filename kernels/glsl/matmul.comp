// y = activation(alpha * a*b + beta * c) for a batch of matrices: an invocation computes four columns
// of up to four rows, a tile, from b in panels of 16 columns or with any strides. Where there are few
// tiles, several invocations of a group share one: each takes a slice of the sums, and the group adds
// these up.
/* words
use activation
use weights
use matrices
spec
  uint rows = 4  // of an invocation: 1, 2 or 4
  ActivationKind activation
  bool has_c
  bool panels  // b in panels
  bool vectors_a  // four k of a row of a are an aligned vec4
  bool vectors_b  // four columns of a row of b are, too
  bool vectors_y  // and of y
  WeightsType weights  // the type of b
  uint slices = 1  // invocations that share a tile: a power of two up to 32
push MatMulPush
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

const uint kTiles = 64u / kSlices;  // of a group
shared vec4 parts[kSlices > 1u ? 64u * kRows : 1u];  // by slice, tile and row

#include "matrices.glsl"

void main() {
  uint local = gl_LocalInvocationID.x;
  uint slice = kSlices > 1u ? local / kTiles : 0u;
  uint first = kSlices > 1u ? grid_group() * kTiles : 0u;
  uint rest = kSlices > 1u ? first + local % kTiles : grid_index();
  if (rest >= p.count) {
    if (kSlices == 1u) return;
    rest = p.count - 1u;  // all of a group meet at the barrier
  }
  Tile tile = tile_of(rest, 4u, kRows);

  // The last strip of rows repeats its last row instead of leaving a.
  uint a_at[4];
  [[unroll]] for (uint r = 0u; r < 4u; ++r) {
    a_at[r] = start_of(p.a, tile) + min(tile.row + r, p.rows - 1u) * p.a.row;
  }

  uint b_at, b_next;
  uvec4 b_columns = uvec4(0u, 1u, 2u, 3u);
  if (kPanels) {
    b_at = p.b.skip + (tile.column / 16u) * p.depth * 16u + tile.column % 16u;
    b_next = 16u;
  } else {
    b_at = start_of(p.b, tile) + tile.column * p.b.column;
    b_next = p.b.row;
    b_columns = min(b_columns, uvec4(p.columns - 1u - tile.column)) * p.b.column;
  }

  vec4 sums[4] = {vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0)};
  if (kVectorsA && kVectorsB) {
    for (uint k = 4u * slice; k < p.depth; k += 4u * kSlices) {
      uint at = b_at + k * b_next;
      vec4 b0 = weights_of_quad(at >> 2);
      vec4 b1 = weights_of_quad((at + b_next) >> 2);
      vec4 b2 = weights_of_quad((at + 2u * b_next) >> 2);
      vec4 b3 = weights_of_quad((at + 3u * b_next) >> 2);
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
    for (uint k = slice; k < p.depth; k += kSlices) {
      uint at = b_at + k * b_next;
      vec4 v;
      if (kVectorsB) {
        v = weights_of_quad(at >> 2);
      } else {
        v = weights_at(at + b_columns);
      }
      [[unroll]] for (uint r = 0u; r < 4u; ++r) {
        if (r < kRows) sums[r] += float(a[a_at[r] + k * p.a.column]) * v;
      }
    }
  }

  if (kSlices > 1u) {
    uint outputs = kTiles * kRows;
    [[unroll]] for (uint r = 0u; r < 4u; ++r) {
      if (r < kRows) parts[slice * outputs + (local % kTiles) * kRows + r] = sums[r];
    }
    barrier();
    for (uint i = local; i < outputs && first + i / kRows < p.count; i += 64u) {
      vec4 sum = vec4(0.0);
      for (uint s = 0u; s < kSlices; ++s) sum += parts[s * outputs + i];
      finish(tile_of(first + i / kRows, 4u, kRows), i % kRows, 0u, sum);
    }
    return;
  }
  [[unroll]] for (uint r = 0u; r < 4u; ++r) {
    if (r < kRows) finish(tile, r, 0u, sums[r]);
  }
}
// SPDX-License-Identifier: Apache-2.0

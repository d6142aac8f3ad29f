// y = activation(alpha * a*b + beta * c) for a batch of matrices of many rows: a group computes 64
// columns of 32 or 64 rows, a tile. Step by step of 16 k it brings the tile's rows of a and columns of b
// into shared memory, where each number is read by eight invocations; what the next step needs is on
// its way meanwhile. An invocation sums up eight columns of every eighth row.
/* words
use activation
use weights
use matrices
spec
  uint rows = 8  // of an invocation: 4 or 8
  ActivationKind activation
  bool has_c
  bool panels     // b in panels, else four columns of a row are an aligned vec4
  bool vectors_y  // four columns of a row of y are, too
  WeightsType weights  // the type of b
push MatMulPush
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "matmul_tile.words.glsl"
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"
#include "weights.glsl"

layout(set = 0, binding = 0) readonly buffer A4 { stored4 a4[]; };
layout(set = 0, binding = 2) readonly buffer C { stored c[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };
layout(set = 0, binding = 3) writeonly buffer Y4 { stored4 y4[]; };

#include "matrices.glsl"

const uint kRowsMax = 8u;
const uint kDepth = 16u;    // k of a step
const uint kQuads = 16u;    // of a tile's columns
const uint kLoads = 4u;     // vectors of each matrix that an invocation brings, at most
const uint kRowVectors = kDepth / 4u + 1u;  // one is spare: neighboring rows lie in other banks
shared vec4 a_tile[64u * kRowVectors];      // by row and four k
shared vec4 b_tile[kDepth * kQuads];        // by k and four columns

// The vectors that an invocation brings begin at these elements, in the first step.
struct Sources {
  uint a_at[kLoads], b_at[kLoads];
};

// Vector j of an invocation: of a row (local / 4 + 16 * j) k from 4 * (local % 4) on; of b four columns
// (local % 16) of k (local / 16 + 4 * j).
Sources sources_of(Tile tile) {
  uint local = gl_LocalInvocationID.x;
  Sources sources;
  uint column = tile.column + 4u * (local % kQuads);
  uint first = start_of(p.b, tile) + min(column, p.columns - 1u) * p.b.column;
  uint next = p.b.row;
  if (kPanels) {
    first = p.b.skip + min(column, p.columns - 1u) / 16u * p.depth * 16u + column % 16u;
    next = 16u;
  }
  [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
    // The last row again where there are fewer.
    uint row = min(tile.row + local / 4u + 16u * j, p.rows - 1u);
    sources.a_at[j] = start_of(p.a, tile) + row * p.a.row + 4u * (local % 4u);
    sources.b_at[j] = first + (local / kQuads + 4u * j) * next;
  }
  return sources;
}

// Reads the vectors of the step from k on; zeros beyond the depth, and columns beyond the last.
void read_step(Tile tile, Sources sources, uint k, out vec4 from_a[kLoads], out vec4 from_b[kLoads]) {
  uint local = gl_LocalInvocationID.x;
  bool column_inside = tile.column + 4u * (local % kQuads) < p.columns;
  uint next = kPanels ? 16u : p.b.row;
  [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
    from_a[j] = vec4(0.0);
    from_b[j] = vec4(0.0);
    if (j < kRows / 2u && k + 4u * (local % 4u) < p.depth) from_a[j] = vec4(a4[(sources.a_at[j] + k) >> 2]);
    if (column_inside && k + local / kQuads + 4u * j < p.depth) {
      from_b[j] = weights_of_quad((sources.b_at[j] + k * next) >> 2);
    }
  }
}

void main() {
  if (grid_group() >= p.count) return;  // a whole group returns, or nobody waits at a barrier
  Tile tile = tile_of(grid_group(), 4u * kQuads, 8u * kRows);
  uint local = gl_LocalInvocationID.x;
  uint first_row = local / 8u, quad = local % 8u;
  Sources sources = sources_of(tile);
  vec4 sums[kRowsMax][2];
  [[unroll]] for (uint r = 0u; r < kRowsMax; ++r) sums[r] = vec4[2](vec4(0.0), vec4(0.0));

  vec4 from_a[kLoads], from_b[kLoads];
  read_step(tile, sources, 0u, from_a, from_b);
  for (uint k = 0u; k < p.depth; k += kDepth) {
    barrier();  // the step before is summed up
    [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
      if (j < kRows / 2u) a_tile[(local / 4u + 16u * j) * kRowVectors + local % 4u] = from_a[j];
      b_tile[(local / kQuads + 4u * j) * kQuads + local % kQuads] = from_b[j];
    }
    barrier();
    read_step(tile, sources, k + kDepth, from_a, from_b);
    [[unroll]] for (uint i = 0u; i < kDepth / 4u; ++i) {
      vec4 v[kRowsMax];
      [[unroll]] for (uint r = 0u; r < kRowsMax; ++r) {
        if (r < kRows) v[r] = a_tile[(first_row + 8u * r) * kRowVectors + i];
      }
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        vec4 left = b_tile[(4u * i + j) * kQuads + quad];
        vec4 right = b_tile[(4u * i + j) * kQuads + 8u + quad];
        [[unroll]] for (uint r = 0u; r < kRowsMax; ++r) {
          if (r < kRows) {
            sums[r][0] += v[r][j] * left;
            sums[r][1] += v[r][j] * right;
          }
        }
      }
    }
  }

  [[unroll]] for (uint r = 0u; r < kRowsMax; ++r) {
    if (r < kRows) {
      [[unroll]] for (uint half_of = 0u; half_of < 2u; ++half_of) {
        finish(tile, first_row + 8u * r, 4u * (quad + 8u * half_of), sums[r][half_of]);
      }
    }
  }
}
// SPDX-License-Identifier: Apache-2.0

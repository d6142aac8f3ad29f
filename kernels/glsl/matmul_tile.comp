// y = activation(alpha * a*b + beta * c) for a batch of matrices of many rows, by tiles in shared memory
// (include/product_tile.glsl). Where there are few tiles, groups share them: each adds up a part of the k, and a
// second pass adds the parts, four columns an invocation.
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
  uint parts = 1  // more than 1 of a single pair of matrices alone
  bool add_parts  // the second pass: the parts are at binding 0
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
layout(set = 0, binding = 0) readonly buffer PartsIn { vec4 parts_in[]; };
layout(set = 0, binding = 2) readonly buffer C { stored c[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };
layout(set = 0, binding = 3) writeonly buffer Y4 { stored4 y4[]; };
layout(set = 0, binding = 3) writeonly buffer PartsOut { vec4 parts_out[]; };

#include "matrices.glsl"
#include "product_tile.glsl"

// The vectors that an invocation brings begin at these elements, for k = 0.
uint a_at[kLoads], b_at[kLoads];
uint b_next;  // from one k to the next
bool column_inside;
uint depth_end;  // of the group's part

void find_sources(Tile tile) {
  uint column = tile.column + column_of_loads();
  column_inside = column < p.columns;
  column = min(column, p.columns - 1u);
  uint first = start_of(p.b, tile) + column * p.b.column;
  b_next = p.b.row;
  if (kPanels) {
    first = p.b.skip + column / 16u * p.depth * 16u + column % 16u;
    b_next = 16u;
  }
  [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
    // The last row again where there are fewer.
    a_at[j] = start_of(p.a, tile) + min(tile.row + row_of_load(j), p.rows - 1u) * p.a.row + k_of_row();
    b_at[j] = first + k_of_column(j) * b_next;
  }
}

void read_step(uint k, out vec4 from_a[kLoads], out vec4 from_b[kLoads]) {
  [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
    from_a[j] = vec4(0.0);
    from_b[j] = vec4(0.0);
    if (j < kRows / 2u && k + k_of_row() < depth_end) from_a[j] = vec4(a4[(a_at[j] + k) >> 2]);
    if (column_inside && k + k_of_column(j) < depth_end) {
      from_b[j] = weights_of_quad((b_at[j] + k * b_next) >> 2);
    }
  }
}

void add_parts() {
  uint index = grid_index();
  if (index >= p.count) return;
  vec4 sum = vec4(0.0);
  for (uint part = 0u; part < kParts; ++part) sum += parts_in[part * p.count + index];
  uint quads = (p.columns + 3u) / 4u;
  uint row = index / quads;
  finish(Tile(0u, 0u, 0u, 0u), row, 4u * (index - row * quads), sum);
}

void main() {
  if (kAddParts) {
    add_parts();
    return;
  }
  if (grid_group() >= p.count) return;  // a whole group returns, or nobody waits at a barrier
  uint tiles = p.count / kParts;
  uint part = grid_group() / tiles;
  Tile tile = tile_of(grid_group() - part * tiles, kTileColumns, kTileRows);
  uint depth = (p.depth + kParts * kDepth - 1u) / (kParts * kDepth) * kDepth;
  depth_end = min((part + 1u) * depth, p.depth);
  find_sources(tile);
  vec4 sums[kRowsMax][2];
  sum_up(part * depth, depth_end, sums);
  uint quads = (p.columns + 3u) / 4u;
  [[unroll]] for (uint r = 0u; r < kRowsMax; ++r) {
    if (r < kRows) {
      [[unroll]] for (uint i = 0u; i < 2u; ++i) {
        uint row = tile.row + first_row() + 8u * r, column = tile.column + column_of_sums(i);
        if (kParts == 1u) {
          finish(tile, row - tile.row, column - tile.column, sums[r][i]);
        } else if (row < p.rows && column < p.columns) {
          parts_out[(part * p.rows + row) * quads + column / 4u] = sums[r][i];
        }
      }
    }
  }
}
// SPDX-License-Identifier: Apache-2.0

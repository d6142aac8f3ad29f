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
  bool wide  // so many tiles that a group may compute four of them, and others return
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
uint depth_end;  // of the group's part

void find_sources(Tile tile) {
  b_next = kPanels ? 16u : p.b.row;
  [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
    // The last columns again, too.
    uint column = min(tile.column + column_of_load(j), p.columns - 1u);
    uint first = start_of(p.b, tile) + column * p.b.column;
    if (kPanels) first = p.b.skip + column / 16u * p.depth * 16u + column % 16u;
    // The last row again where there are fewer.
    a_at[j] = start_of(p.a, tile) + min(tile.row + row_of_load(j), p.rows - 1u) * p.a.row + k_of_row();
    b_at[j] = first + k_of_column(j) * b_next;
  }
}

#ifdef WIDE
layout(set = 0, binding = 0) readonly buffer A8 { uvec4 a8[]; };
factors factors_of_a(uint vector) { return a8[vector]; }
#else
factors factors_of_a(uint vector) { return factors(a4[vector]); }
#endif

void read_step(uint k, out factors from_a[kLoads], out factors from_b[kLoads]) {
#ifdef COOPERATIVE
  if (k + kDepth <= depth_end) {  // as almost all are
    [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
      if (j < kRowLoads) from_a[j] = factors_of_a((a_at[j] + k) / kVector);
      from_b[j] = factors_of_b((b_at[j] + k * b_next) / kVector);
    }
    return;
  }
#endif
  [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
    from_a[j] = factors(0);
    from_b[j] = factors(0);
    if (j < kRowLoads && k + k_of_row() < depth_end) from_a[j] = factors_of_a((a_at[j] + k) / kVector);
    if (k + k_of_column(j) < depth_end) from_b[j] = factors_of_b((b_at[j] + k * b_next) / kVector);
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

#ifdef WIDE
uint tiles_of(uint columns, uint rows) {
  return (p.columns + columns - 1u) / columns * ((p.rows + rows - 1u) / rows);
}

uint count_of_wide_tiles() { return p.count / tiles_of(64u, 64u) * tiles_of(kTileColumns, kTileRows); }
#endif

void main() {
  if (kAddParts) {
    add_parts();
    return;
  }
#ifdef WIDE
  uint tiles = count_of_wide_tiles();
  if (grid_group() >= tiles) return;
#else
  if (grid_group() >= p.count) return;  // a whole group returns, or nobody waits at a barrier
  uint tiles = p.count / kParts;
#endif
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

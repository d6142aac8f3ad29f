// y = a * b of 16-bit floats with sums of 32 bits, by cooperative matrices: a plain kernel of which compile.py makes
// many tilings. Sizes are multiples of the tile's.
// TILE_ROWS, TILE_COLUMNS, TILE_DEPTH: what a group brings into shared memory at a time; SUBGROUP_ROWS,
// SUBGROUP_COLUMNS: subgroups of 32 invocations by which it is divided; STAGES: 2 where the next step is brought into
// other memory than the one before, 1 where subgroups wait for each other instead.
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_NV_cooperative_matrix : require

const uint kBlock = 16u;
const uint kInvocations = 32u * SUBGROUP_ROWS * SUBGROUP_COLUMNS;
const uint kRows = TILE_ROWS / SUBGROUP_ROWS, kColumns = TILE_COLUMNS / SUBGROUP_COLUMNS;  // of a subgroup
const uint kBlockRows = kRows / kBlock, kBlockColumns = kColumns / kBlock;
layout(local_size_x = 32 * SUBGROUP_ROWS * SUBGROUP_COLUMNS) in;
layout(set = 0, binding = 0) readonly buffer A { uvec4 a[]; };
layout(set = 0, binding = 1) readonly buffer B { uvec4 b[]; };
layout(set = 0, binding = 2) writeonly buffer Y { float16_t y[]; };
layout(push_constant) uniform Push { uint size; } p;  // rows, columns and depth

// A row of a tile has so many vectors of eight numbers, and one more that keeps neighboring rows in other banks.
const uint kA = TILE_DEPTH / 8u, kB = TILE_COLUMNS / 8u;
const uint kARow = kA + 1u, kBRow = kB + 1u;
shared uvec4 a_tile[STAGES * TILE_ROWS * kARow];
shared uvec4 b_tile[STAGES * TILE_DEPTH * kBRow];
const uint kALoads = TILE_ROWS * kA / kInvocations, kBLoads = TILE_DEPTH * kB / kInvocations;

void main() {
  uint local = gl_LocalInvocationID.x;
  uint row = gl_WorkGroupID.y * TILE_ROWS, column = gl_WorkGroupID.x * TILE_COLUMNS;
  uint subgroup_row = gl_SubgroupID / SUBGROUP_COLUMNS * kRows;
  uint subgroup_column = gl_SubgroupID % SUBGROUP_COLUMNS * kColumns;
  uint stride = p.size / 8u;
  uint a_at = (row + local / kA) * stride + local % kA, a_next = kInvocations / kA * stride;
  uint b_at = local / kB * stride + column / 8u + local % kB, b_next = kInvocations / kB * stride;
  fcoopmatNV<32, gl_ScopeSubgroup, kBlock, kBlock> sums[kBlockRows][kBlockColumns];
  [[unroll]] for (uint i = 0u; i < kBlockRows; ++i) {
    [[unroll]] for (uint j = 0u; j < kBlockColumns; ++j) {
      sums[i][j] = fcoopmatNV<32, gl_ScopeSubgroup, kBlock, kBlock>(0.0);
    }
  }
  uvec4 from_a[kALoads], from_b[kBLoads];
  [[unroll]] for (uint j = 0u; j < kALoads; ++j) from_a[j] = a[a_at + j * a_next];
  [[unroll]] for (uint j = 0u; j < kBLoads; ++j) from_b[j] = b[b_at + j * b_next];
  uint stage = 0u;
  for (uint k = 0u; k < p.size; k += TILE_DEPTH) {
    if (STAGES == 1) barrier();
    uint a_stage = stage * TILE_ROWS * kARow, b_stage = stage * TILE_DEPTH * kBRow;
    [[unroll]] for (uint j = 0u; j < kALoads; ++j) {
      a_tile[a_stage + (local / kA + j * (kInvocations / kA)) * kARow + local % kA] = from_a[j];
    }
    [[unroll]] for (uint j = 0u; j < kBLoads; ++j) {
      b_tile[b_stage + (local / kB + j * (kInvocations / kB)) * kBRow + local % kB] = from_b[j];
    }
    barrier();
    if (k + TILE_DEPTH < p.size) {
      a_at += kA;
      b_at += TILE_DEPTH * stride;
      [[unroll]] for (uint j = 0u; j < kALoads; ++j) from_a[j] = a[a_at + j * a_next];
      [[unroll]] for (uint j = 0u; j < kBLoads; ++j) from_b[j] = b[b_at + j * b_next];
    }
    [[unroll]] for (uint part = 0u; part < TILE_DEPTH / kBlock; ++part) {
      fcoopmatNV<16, gl_ScopeSubgroup, kBlock, kBlock> right[kBlockColumns];
      [[unroll]] for (uint j = 0u; j < kBlockColumns; ++j) {
        uint at = b_stage + kBlock * part * kBRow + (subgroup_column + kBlock * j) / 8u;
        coopMatLoadNV(right[j], b_tile, at, kBRow, false);
      }
      [[unroll]] for (uint i = 0u; i < kBlockRows; ++i) {
        fcoopmatNV<16, gl_ScopeSubgroup, kBlock, kBlock> left;
        coopMatLoadNV(left, a_tile, a_stage + (subgroup_row + kBlock * i) * kARow + 2u * part, kARow, false);
        [[unroll]] for (uint j = 0u; j < kBlockColumns; ++j) sums[i][j] = coopMatMulAddNV(left, right[j], sums[i][j]);
      }
    }
    if (STAGES == 2) stage ^= 1u;
  }
  [[unroll]] for (uint i = 0u; i < kBlockRows; ++i) {
    [[unroll]] for (uint j = 0u; j < kBlockColumns; ++j) {
      uint at = (row + subgroup_row + kBlock * i) * p.size + column + subgroup_column + kBlock * j;
      coopMatStoreNV(fcoopmatNV<16, gl_ScopeSubgroup, kBlock, kBlock>(sums[i][j]), y, at, p.size, false);
    }
  }
}
// SPDX-License-Identifier: Apache-2.0

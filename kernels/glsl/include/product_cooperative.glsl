// Computes the tiles of product_tile.glsl from operands of 16 bits. The subgroups of a group have 32 invocations each.
// They multiply blocks of 16 by 16 numbers of the tile as cooperative matrices, each for 32 of the tile's columns. Two
// of them share a tile of 64 columns; with WIDE eight share one of 128 columns and rows. Sums are of 32 bits.
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_NV_cooperative_matrix : require
#ifdef WIDE
#define factors uvec4
const uint kVector = 8u;  // numbers that a load brings
layout(set = 0, binding = 1) readonly buffer HalfWeights8 { uvec4 w_halves8[]; };
#else
#define factor float16_t
#define factors f16vec4
const uint kVector = 4u;
#endif

#ifdef WIDE
const uint kSubgroupRows = 2u, kSubgroupColumns = 4u;
#else
const uint kSubgroupRows = 1u, kSubgroupColumns = 2u;
#endif
const uint kInvocations = 32u * kSubgroupRows * kSubgroupColumns;
const uint kDepth = 32u;  // k of a step
const uint kTileColumns = 32u * kSubgroupColumns;
const uint kSubgroupTileRows = 8u * kRows;
const uint kTileRows = kSubgroupRows * kSubgroupTileRows;
const uint kBlock = 16u;        // rows and columns of a cooperative matrix
const uint kBlockRowsMax = 4u;  // of a subgroup
const uint kBlockRows = kSubgroupTileRows / kBlock;
const uint kBlockColumns = 2u;  // of a subgroup
// Vectors of each matrix that an invocation brings, at most, and of a.
const uint kLoads = kDepth * kTileColumns / kVector / kInvocations;
const uint kRowLoads = kTileRows * kDepth / kVector / kInvocations;
const uint kVectorsOfK = kDepth / kVector;
// Vectors of eight numbers; one of each row is spare: neighboring rows lie in other banks.
const uint kRowVectors = kDepth / 8u + 1u;
const uint kColumnVectors = kTileColumns / 8u + 1u;
const uint kResultVectors = kBlock / 4u + 1u;  // of four sums
// By row and eight k; in the end a block of results of each subgroup.
shared uvec4 a_tile[64u * kSubgroupRows * kRowVectors];
shared uvec4 b_tile[kDepth * kColumnVectors];  // by k and eight columns

// Vector j that an invocation brings in a step.
uint row_of_load(uint j) { return gl_LocalInvocationID.x / kVectorsOfK + kInvocations / kVectorsOfK * j; }
uint k_of_row() { return kVector * (gl_LocalInvocationID.x % kVectorsOfK); }
// Neighboring invocations bring neighboring numbers: where b lies in panels, those of one panel, k by k.
const uint kColumnsTogether = kPanels ? 16u : kTileColumns;
const uint kVectorsTogether = kColumnsTogether / kVector;
uint column_of_load(uint j) {
  uint vector = gl_LocalInvocationID.x + kInvocations * j;
  return vector / (kVectorsTogether * kDepth) * kColumnsTogether + kVector * (vector % kVectorsTogether);
}
uint k_of_column(uint j) { return (gl_LocalInvocationID.x + kInvocations * j) / kVectorsTogether % kDepth; }

// Returns the numbers of b from element kVector * vector on; weights are of 16 bits.
factors factors_of_b(uint vector) {
#ifdef WIDE
  return w_halves8[vector];
#else
  uvec2 words = w_halves4[vector];
  return factors(unpackFloat2x16(words.x), unpackFloat2x16(words.y));
#endif
}

// Reads the vectors of the step from k on, zeros where there is nothing; of a the first kRowLoads.
void read_step(uint k, out factors from_a[kLoads], out factors from_b[kLoads]);

// Writes the numbers of an invocation to vector `at` of a tile: all eight, or its half of them.
#ifdef WIDE
#define share(tile, at, numbers) tile[at] = numbers
#else
#define share(tile, at, numbers)                                                        \
  if ((gl_LocalInvocationID.x & 1u) == 0u) {                                            \
    tile[at].xy = uvec2(packFloat2x16((numbers).xy), packFloat2x16((numbers).zw));      \
  } else {                                                                              \
    tile[at].zw = uvec2(packFloat2x16((numbers).xy), packFloat2x16((numbers).zw));      \
  }
#endif
void share_step(factors from_a[kLoads], factors from_b[kLoads]) {
  [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
    share(b_tile, k_of_column(j) * kColumnVectors + column_of_load(j) / 8u, from_b[j]);
    if (j < kRowLoads) share(a_tile, row_of_load(j) * kRowVectors + k_of_row() / 8u, from_a[j]);
  }
}

// The sums of the steps from `first` to `last`: of rows first_row() + 8 * r of the tile, four columns from
// column_of_sums(0) and four from column_of_sums(1) on.
uint subgroup_row() { return gl_SubgroupID / kSubgroupColumns * kSubgroupTileRows; }
uint subgroup_column() { return gl_SubgroupID % kSubgroupColumns * kBlockColumns * kBlock; }
uint first_row() { return subgroup_row() + gl_LocalInvocationID.x % 32u / 4u; }
uint column_of_sums(uint part) { return subgroup_column() + kBlock * part + 4u * (gl_LocalInvocationID.x % 4u); }
void sum_up(uint first, uint last, out vec4 sums[kRowsMax][2]) {
  fcoopmatNV<32, gl_ScopeSubgroup, kBlock, kBlock> blocks[kBlockRowsMax][kBlockColumns];
  [[unroll]] for (uint i = 0u; i < kBlockRowsMax; ++i) {
    [[unroll]] for (uint j = 0u; j < kBlockColumns; ++j) {
      blocks[i][j] = fcoopmatNV<32, gl_ScopeSubgroup, kBlock, kBlock>(0.0);
    }
  }
  factors from_a[kLoads], from_b[kLoads];
  read_step(first, from_a, from_b);
  for (uint k = first; k < last; k += kDepth) {
    barrier();  // the step before is summed up
    share_step(from_a, from_b);
    barrier();
    read_step(k + kDepth, from_a, from_b);
    [[unroll]] for (uint part = 0u; part < kDepth / kBlock; ++part) {
      fcoopmatNV<16, gl_ScopeSubgroup, kBlock, kBlock> right[kBlockColumns];
      [[unroll]] for (uint j = 0u; j < kBlockColumns; ++j) {
        uint at = kBlock * part * kColumnVectors + (subgroup_column() + kBlock * j) / 8u;
        coopMatLoadNV(right[j], b_tile, at, kColumnVectors, false);
      }
      [[unroll]] for (uint i = 0u; i < kBlockRowsMax; ++i) {
        if (i >= kBlockRows) continue;
        fcoopmatNV<16, gl_ScopeSubgroup, kBlock, kBlock> left;
        uint at = (subgroup_row() + kBlock * i) * kRowVectors + kBlock / 8u * part;
        coopMatLoadNV(left, a_tile, at, kRowVectors, false);
        [[unroll]] for (uint j = 0u; j < kBlockColumns; ++j) {
          blocks[i][j] = coopMatMulAddNV(left, right[j], blocks[i][j]);
        }
      }
    }
  }
  // The sums pass through shared memory, since Vulkan does not tell which invocation has which one.
  barrier();
  uint results = gl_SubgroupID * kBlock * kResultVectors;
  [[unroll]] for (uint i = 0u; i < kBlockRowsMax; ++i) {
    if (i >= kBlockRows) continue;
    [[unroll]] for (uint j = 0u; j < kBlockColumns; ++j) {
      coopMatStoreNV(blocks[i][j], a_tile, results, kResultVectors, false);
      subgroupBarrier();
      [[unroll]] for (uint half_block = 0u; half_block < 2u; ++half_block) {
        uint row = gl_LocalInvocationID.x % 32u / 4u + 8u * half_block;
        uint at = results + row * kResultVectors + gl_LocalInvocationID.x % 4u;
        sums[2u * i + half_block][j] = uintBitsToFloat(a_tile[at]);
      }
      subgroupBarrier();
    }
  }
}
// SPDX-License-Identifier: Apache-2.0

// Sums of products through shared memory: a group computes 64 columns of 32 or 64 rows, a tile. Step by step
// of 16 k it brings the tile's rows of a and columns of b into shared memory, where each number is read
// by eight invocations; what the next step needs is on its way meanwhile. An invocation sums up
// eight columns of every eighth row. A shader defines kRows, the rows of an invocation, kPanels (b lies in panels of
// 16 columns), and what it reads.
// With COOPERATIVE, subgroups do it together instead (product_cooperative.glsl).

const uint kRowsMax = 8u;
#ifdef COOPERATIVE
#include "product_cooperative.glsl"
#else
#define factor float
#define factors vec4
const uint kVector = 4u;    // numbers that a load brings
const uint kDepth = 16u;    // k of a step
const uint kQuads = 16u;    // of a tile's columns
const uint kTileColumns = 4u * kQuads;
const uint kTileRows = 8u * kRows;
const uint kLoads = 4u;     // vectors of each matrix that an invocation brings, at most
const uint kRowLoads = kRows / 2u;  // of a
const uint kRowVectors = kDepth / 4u + 1u;  // one is spare: neighboring rows lie in other banks
shared vec4 a_tile[64u * kRowVectors];      // by row and four k
shared vec4 b_tile[kDepth * kQuads];        // by k and four columns

// Vector j that an invocation brings in a step: of row row_of_load(j) of the tile the four k from
// k_of_row() on; of four columns, from column_of_load(j) on, k number k_of_column(j).
uint row_of_load(uint j) { return gl_LocalInvocationID.x / 4u + 16u * j; }
uint k_of_row() { return 4u * (gl_LocalInvocationID.x % 4u); }
uint column_of_load(uint j) { return 4u * (gl_LocalInvocationID.x % kQuads); }
uint k_of_column(uint j) { return gl_LocalInvocationID.x / kQuads + 4u * j; }

// Returns the numbers of b from element kVector * vector on.
factors factors_of_b(uint vector) { return weights_of_quad(vector); }

// Reads the vectors of the step from k on, zeros where there is nothing; of a the first kRowLoads.
void read_step(uint k, out factors from_a[kLoads], out factors from_b[kLoads]);

// The sums of the steps from `first` to `last`: of rows first_row() + 8 * r of the tile, four columns from
// column_of_sums(0) and four from column_of_sums(1) on.
uint first_row() { return gl_LocalInvocationID.x / 8u; }
uint column_of_sums(uint part) { return 4u * (gl_LocalInvocationID.x % 8u + 8u * part); }
void sum_up(uint first, uint last, out vec4 sums[kRowsMax][2]) {
  uint local = gl_LocalInvocationID.x;
  uint quad = local % 8u;
  [[unroll]] for (uint r = 0u; r < kRowsMax; ++r) sums[r] = vec4[2](vec4(0.0), vec4(0.0));
  vec4 from_a[kLoads], from_b[kLoads];
  read_step(first, from_a, from_b);
  for (uint k = first; k < last; k += kDepth) {
    barrier();  // the step before is summed up
    [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
      if (j < kRowLoads) a_tile[row_of_load(j) * kRowVectors + local % 4u] = from_a[j];
      b_tile[k_of_column(j) * kQuads + local % kQuads] = from_b[j];
    }
    barrier();
    read_step(k + kDepth, from_a, from_b);
    [[unroll]] for (uint i = 0u; i < kDepth / 4u; ++i) {
      vec4 v[kRowsMax];
      [[unroll]] for (uint r = 0u; r < kRowsMax; ++r) {
        if (r < kRows) v[r] = a_tile[(first_row() + 8u * r) * kRowVectors + i];
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
}
#endif
// SPDX-License-Identifier: Apache-2.0

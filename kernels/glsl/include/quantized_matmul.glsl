// Quantised matrix product: an invocation adds up four columns of a row.
#include "integer_sums.glsl"

const uint kRows = kOwn, kColumns = kOwn + 1u, kBatchRank = kOwn + 2u;
const uint kRowStrides = kOwn + 3u;   // of a, b's columns, bias, sums
const uint kColumnStrides = kOwn + 7u;  // of bias and sums
const uint kBatchDims = kOwn + 9u;    // innermost first
const uint kBatchStrides = kOwn + 15u;  // of a, then b, bias, sums
const uint kBatchRankMax = 6u;

void add_sums() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint columns = parameter(kColumns);
  uint quads = (columns + 3u) / 4u;
  uint quotient = rest / quads;
  uint first = (rest - quotient * quads) * 4u;
  rest = quotient;
  quotient = rest / parameter(kRows);
  uint row = rest - quotient * parameter(kRows);
  uint at[4] = uint[4](parameter(kXSkip) + row * parameter(kRowStrides), parameter(kWSkip),
                       parameter(kBiasSkip) + row * parameter(kRowStrides + 2u),
                       parameter(kSumSkip) + row * parameter(kRowStrides + 3u));
  for (uint d = 0u; d < parameter(kBatchRank); ++d) {
    rest = quotient;
    quotient = rest / parameter(kBatchDims + d);
    uint i = rest - quotient * parameter(kBatchDims + d);
    for (uint k = 0u; k < 4u; ++k) at[k] += i * parameter(kBatchStrides + kBatchRankMax * k + d);
  }
  // The last columns repeat instead of leaving the tensor.
  uvec4 lanes = min(uvec4(0u, 1u, 2u, 3u), uvec4(columns - 1u - first));
  ivec4 sums = ivec4(0);
  add_run(sums, uvec4(at[0]), at[1] + (first + lanes) * parameter(kRowStrides + 1u));
  for (uint j = 0u; j < 4u && first + j < columns; ++j) {
    int bias = kHasBias ? int(b[at[2] + (first + j) * parameter(kColumnStrides)]) : 0;
    y[at[3] + (first + j) * parameter(kColumnStrides + 1u)] = uint(sums[j] + bias);
  }
}
// SPDX-License-Identifier: Apache-2.0

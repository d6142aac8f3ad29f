// Quantised matrix product: an invocation adds up four columns of a row.
#include "integer_sums.glsl"

const uint kRows = kOwn, kColumns = kOwn + 1u, kBatchRank = kOwn + 2u;
// Of a, b, bias, sums, a's zero points and b's; of b's rows there is nothing to say.
const uint kOperands = 6u;
const uint kRowStrides = kOwn + 3u;
const uint kColumnStrides = kOwn + 9u;   // of b, bias, sums, b's zero points
const uint kBatchDims = kOwn + 13u;      // innermost first
const uint kBatchStrides = kOwn + 19u;   // of one operand after another
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
  uint at[kOperands] =
      uint[kOperands](parameter(kXSkip), parameter(kWSkip), parameter(kBiasSkip), parameter(kSumSkip),
                      parameter(kXZeroSkip), parameter(kWZeroSkip));
  for (uint k = 0u; k < kOperands; ++k) at[k] += row * parameter(kRowStrides + k);
  for (uint d = 0u; d < parameter(kBatchRank); ++d) {
    rest = quotient;
    quotient = rest / parameter(kBatchDims + d);
    uint i = rest - quotient * parameter(kBatchDims + d);
    for (uint k = 0u; k < kOperands; ++k) {
      at[k] += i * parameter(kBatchStrides + kBatchRankMax * k + d);
    }
  }
  // The last columns repeat instead of leaving the tensor.
  uvec4 lanes = first + min(uvec4(0u, 1u, 2u, 3u), uvec4(columns - 1u - first));
  ivec4 sums = ivec4(0);
  add_run(sums, uvec4(at[0]), at[1] + lanes * parameter(kColumnStrides),
          zeros_at(at[4], at[5] + lanes * parameter(kColumnStrides + 3u)));
  for (uint j = 0u; j < 4u && first + j < columns; ++j) {
    store_sum(sums, j, at[3] + (first + j) * parameter(kColumnStrides + 2u),
              at[2] + (first + j) * parameter(kColumnStrides + 1u));
  }
}
// SPDX-License-Identifier: Apache-2.0

// Quantized matrix product: four columns of a row are added up at once.
/* words
use integer_sums
struct MatMulOwn
  uint rows, columns, batch_rank
  uint row_strides[6]                  // of a, b, bias, sums, the zero points of a and b
  uint column_strides[4]               // of b, bias, sums, b's zero points
  uint batch_dims[6], batch_strides[6][6]  // innermost first; of one operand after another
  pad 1
struct MatMulSums
  SumWords sums
  MatMulOwn own
*/
#include "integer_sums.glsl"

// Operands: a, b, bias, sums, a's zero points and b's.
const uint kOperands = 6u;
const uint kBatchRankMax = 6u;

void add_sums() {
  uint rest = sums_index();
  bool idle = rest >= p.count;
  if (idle) {
    if (kSlices == 1u) return;
    rest = p.count - 1u;  // all of a group meet at the barrier
  }
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
  if (!join_slices(sums) || idle) return;
  for (uint j = 0u; j < 4u && first + j < columns; ++j) {
    store_sum(sums, j, at[3] + (first + j) * parameter(kColumnStrides + 2u),
              at[2] + (first + j) * parameter(kColumnStrides + 1u));
  }
}
// SPDX-License-Identifier: Apache-2.0

// Finds the operands of four columns of a row of a quantized matrix product. A shader includes
// integer_sums.glsl or integer_whole.glsl before.
/* words
struct MatMulOwn
  uint rows, columns, batch_rank
  uint row_strides[6]                  // of a, b, bias, sums, the zero points of a and b
  uint column_strides[4]               // of b, bias, sums, b's zero points
  uint batch_dims[6], batch_strides[6][6]  // innermost first; of one operand after another
  pad 1
*/

// Operands: a, b, bias, sums, the zero points of a and b.
const uint kOperands = 6u;
const uint kBatchRankMax = 6u;

struct MatMulPlace {
  uint first, columns;  // column, and how many there are
  uint at[kOperands];
};

MatMulPlace matmul_place(uint rest) {
  MatMulPlace place;
  place.columns = parameter(kColumns);
  uint quads = (place.columns + 3u) / 4u;
  uint quotient = rest / quads;
  place.first = (rest - quotient * quads) * 4u;
  rest = quotient;
  quotient = rest / parameter(kRows);
  uint row = rest - quotient * parameter(kRows);
  place.at = uint[kOperands](parameter(kXSkip), parameter(kWSkip), parameter(kBiasSkip),
                             parameter(kSumSkip), parameter(kXZeroSkip), parameter(kWZeroSkip));
  for (uint k = 0u; k < kOperands; ++k) place.at[k] += row * parameter(kRowStrides + k);
  for (uint d = 0u; d < parameter(kBatchRank); ++d) {
    rest = quotient;
    quotient = rest / parameter(kBatchDims + d);
    uint i = rest - quotient * parameter(kBatchDims + d);
    for (uint k = 0u; k < kOperands; ++k) {
      place.at[k] += i * parameter(kBatchStrides + kBatchRankMax * k + d);
    }
  }
  return place;
}

// The columns of four sums: the last ones repeat instead of leaving the tensor.
uvec4 lanes_of(MatMulPlace place) {
  return place.first + min(uvec4(0u, 1u, 2u, 3u), uvec4(place.columns - 1u - place.first));
}
// SPDX-License-Identifier: Apache-2.0

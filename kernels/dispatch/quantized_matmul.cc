// Quantised matrix products: of any integers, and of int8 with four products an instruction.
#include "kernels/dispatch/integer_sums.h"
#include "kernels/dispatch/rules.h"

namespace arenite {
namespace {

constexpr uint32_t kBatchRankMax = 6;

Status emit_matmul_of(const Step& step, Shader shader, const DispatchSink& sink) {
  const IntegerSumStep operands(step);
  const auto attributes = step.attributes<QuantizedMatMulAttributes>();
  const Operand& a = operands.x;
  const Operand& b = operands.w;
  const Operand& y = operands.y;
  const uint32_t row = y.rank - 2;
  const uint32_t column = y.rank - 1;
  const auto of_bias = [&](uint32_t d) { return operands.has_bias ? operands.bias.strides[d] : 0; };
  Loops batch;
  for (uint32_t d = 0; d < row; ++d) {
    batch.add(y.dims[d], a.strides[d], b.strides[d], of_bias(d), operands.sums.strides[d]);
  }
  collapse_dims(batch, 3);
  IntegerSumPass pass;
  pass.shader = shader;
  pass.depth = a.dims[column];
  pass.x_step = a.strides[column];
  pass.w_step = b.strides[row];
  pass.words = are_words_of_four(a, column) && are_words_of_four(b, row) ? WordUse::kOfRuns
                                                                         : WordUse::kBytes;
  pass.invocations = (uint64_t{y.dims[column]} + 3) / 4 * y.dims[row] * batch.count();
  pass.add(y.dims[row]).add(y.dims[column]).add(batch.rank);
  pass.add(a.strides[row]).add(b.strides[column]).add(of_bias(row));
  pass.add(operands.sums.strides[row]).add(of_bias(column)).add(operands.sums.strides[column]);
  for (uint32_t d = 0; d < kBatchRankMax; ++d) pass.add(d < batch.rank ? batch.dims[d] : 1);
  for (uint32_t k = 0; k < Loops::kOperands; ++k) {
    for (uint32_t d = 0; d < kBatchRankMax; ++d) {
      pass.add(d < batch.rank ? batch.strides[k][d] : 0);
    }
  }
  return emit_integer_sums(step, operands, pass,
                           {attributes.a_zero_point, attributes.b_zero_point, 0, attributes.output},
                           sink);
}

}  // namespace

bool supports_quantized_matmul(const Step& step) { return supports_integer_sums(step); }

Status emit_quantized_matmul(const Step& step, const DispatchSink& sink) {
  return emit_matmul_of(step, Shader::kQuantizedMatMul, sink);
}

bool supports_quantized_matmul_dot(const Step& step) {
  const Operand a = input_operand(step, 0);
  const Operand b = input_operand(step, 1);
  return supports_integer_sums(step) && a.dtype == DType::kInt8 && b.dtype == DType::kInt8 &&
         a.rank >= 2 && are_words_of_four(a, a.rank - 1) && are_words_of_four(b, a.rank - 2);
}

Status emit_quantized_matmul_dot(const Step& step, const DispatchSink& sink) {
  return emit_matmul_of(step, Shader::kQuantizedMatMulDot, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

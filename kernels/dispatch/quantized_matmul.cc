// Quantized matrix products in one dispatch, or in two where they need more than that has: of any
// integers, and of bytes with four products an instruction.
#include "kernels/shaders/quantized_matmul.h"

#include "kernels/dispatch/integer_whole.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/shaders/quantized_matmul_dot.h"
#include "kernels/shaders/quantized_matmul_whole.h"
#include "kernels/shaders/quantized_matmul_whole_dot.h"
#include "kernels/shaders/shared/matmul_places.h"

namespace arenite {
namespace {

static_assert(kTakesSums<shaders::QuantizedMatMul> && kTakesSums<shaders::QuantizedMatMulDot>);
static_assert(kTakesWhole<shaders::QuantizedMatMulWhole> &&
              kTakesWhole<shaders::QuantizedMatMulWholeDot>);

constexpr uint32_t kBatchRankMax = 6;

IntegerSumPass pass_of(const IntegerSumStep& operands, Shader shader) {
  const Operand& a = operands.x;
  const Operand& b = operands.w;
  const Operand& y = operands.y;
  const uint32_t row = y.rank - 2;
  const uint32_t column = y.rank - 1;
  IntegerSumPass pass;
  pass.shader = shader;
  pass.outputs = y.dims[column];
  pass.depth = a.dims[column];
  pass.x_step = a.strides[column];
  pass.w_step = b.strides[row];
  pass.words = are_words_of_four(a, column) && are_words_of_four(b, row) ? WordUse::kWordsOfRuns
                                                                         : WordUse::kBytes;
  pass.invocations = (uint64_t{y.dims[column]} + 3) / 4;
  for (uint32_t d = 0; d <= row; ++d) pass.invocations *= y.dims[d];
  return pass;
}

uint32_t choose_quantized_matmul(const Step& step, const Capabilities&) {
  const IntegerSumStep operands(step);
  return choose_sum_slices(operands, pass_of(operands, Shader::kQuantizedMatMul), 1);
}

shaders::MatMulOwn own_words(const IntegerSumStep& operands) {
  const Operand& a = operands.x;
  const Operand& b = operands.w;
  const Operand& y = operands.y;
  const uint32_t row = y.rank - 2;
  const uint32_t column = y.rank - 1;
  const SumNumbers& bias = operands.bias;
  const uint32_t* sums = operands.sums.strides;
  // The same dims, innermost first; joined where there are no more operands than loops have.
  Loops batch, zeros;
  for (uint32_t d = 0; d < row; ++d) {
    batch.add(y.dims[d], a.strides[d], b.strides[d], bias.strides[d], sums[d]);
    zeros.add(y.dims[d], operands.x_zero.strides[d], operands.w_zeros.strides[d]);
  }
  if (!operands.gives_zeros) collapse_dims(batch, 3);
  const auto batch_stride = [&](uint32_t i) {
    const uint32_t operand = i / kBatchRankMax, d = i % kBatchRankMax;
    if (d >= batch.rank) return 0u;
    return operand < Loops::kOperands ? batch.strides[operand][d]
                                      : zeros.strides[operand - Loops::kOperands][d];
  };
  const uint32_t row_strides[] = {a.strides[row],
                                  0,  // b has no such rows
                                  bias.strides[row],
                                  sums[row],
                                  operands.x_zero.strides[row],
                                  operands.w_zeros.strides[row]};
  const uint32_t column_strides[] = {b.strides[column], bias.strides[column], sums[column],
                                     operands.w_zeros.strides[column]};
  return {.rows = y.dims[row],
          .columns = y.dims[column],
          .batch_rank = batch.rank,
          .row_strides = row_strides,
          .column_strides = column_strides,
          .batch_dims = shaders::dims_of(batch),
          .batch_strides = batch_stride};
}

QuantizedProduct product_of(const Step& step) {
  const auto a = step.attributes<QuantizedMatMulAttributes>();
  return {a.a_zero_point, a.b_zero_point, 0, a.output};
}

Status emit_matmul_of(const Step& step, Shader shader, const DispatchSink& sink) {
  const IntegerSumStep operands(step);
  return emit_integer_sums(step, operands, pass_of(operands, shader), own_words(operands),
                           product_of(step), sink);
}

// The pass of a product in one dispatch.
IntegerSumPass whole_pass(const IntegerSumStep& operands, Shader shader) {
  IntegerSumPass pass = pass_of(operands, shader);
  pass.words = words_of_whole(operands, pass, true, operands.x.rank - 1, operands.w.rank - 2);
  return pass;
}

bool accepts_whole_matmul(const Step& step) {
  const uint32_t rank = output_operand(step, 0).rank;
  if (!accepts_whole(step, rank - 1)) return false;
  const WholeTile tile = whole_tile(step.record().choice);
  if (tile.slices_log == 0) return true;
  const IntegerSumStep operands(step, SumsIn::kRegisters);
  return pass_of(operands, Shader::kQuantizedMatMulWhole).words == WordUse::kWordsOfRuns;
}

uint32_t choose_whole_matmul(const Step& step, const Capabilities&) {
  const IntegerSumStep operands(step, SumsIn::kRegisters);
  return choose_whole_slices(whole_pass(operands, Shader::kQuantizedMatMulWhole), 1);
}

Status emit_whole_matmul_of(const Step& step, Shader shader, const DispatchSink& sink) {
  const IntegerSumStep operands(step, SumsIn::kRegisters);
  return emit_whole(step, operands, whole_pass(operands, shader), operands.y.rank - 1,
                    own_words(operands), product_of(step), sink);
}

Status emit_whole_matmul(const Step& step, const DispatchSink& sink) {
  return emit_whole_matmul_of(step, Shader::kQuantizedMatMulWhole, sink);
}

Status emit_whole_matmul_dot(const Step& step, const DispatchSink& sink) {
  return emit_whole_matmul_of(step, Shader::kQuantizedMatMulWholeDot, sink);
}

bool accepts_quantized_matmul(const Step& step) { return accepts_integer_sums(step); }

Status emit_quantized_matmul(const Step& step, const DispatchSink& sink) {
  return emit_matmul_of(step, Shader::kQuantizedMatMul, sink);
}

bool accepts_quantized_matmul_dot(const Step& step) {
  const Operand a = input_operand(step, 0);
  const Operand b = input_operand(step, 1);
  return accepts_integer_sums(step) && a.rank >= 2 && are_words_of_four(a, a.rank - 1) &&
         are_words_of_four(b, a.rank - 2);
}

bool accepts_whole_matmul_dot(const Step& step) {
  return accepts_quantized_matmul_dot(step) && accepts_whole_matmul(step);
}

Status emit_quantized_matmul_dot(const Step& step, const DispatchSink& sink) {
  return emit_matmul_of(step, Shader::kQuantizedMatMulDot, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 3,
     .shader = Shader::kQuantizedMatMulWholeDot,
     .types = types::kByte,
     .accepts = accepts_whole_matmul_dot,
     .emit = emit_whole_matmul_dot,
     .choices = kSumChoices,
     .choose = choose_whole_matmul},
    {.form = 2,
     .shader = Shader::kQuantizedMatMulWhole,
     .types = types::kAny,
     .accepts = accepts_whole_matmul,
     .emit = emit_whole_matmul,
     .choices = kSumChoices,
     .choose = choose_whole_matmul},
    {.form = 1,
     .shader = Shader::kQuantizedMatMulDot,
     .types = types::kByte,
     .accepts = accepts_quantized_matmul_dot,
     .emit = emit_quantized_matmul_dot,
     .choices = kSumChoices,
     .choose = choose_quantized_matmul,
     .scratch_bytes = scratch_bytes_of_integer_sums},
    {.form = 0,
     .shader = Shader::kQuantizedMatMul,
     .types = types::kAny,
     .accepts = accepts_quantized_matmul,
     .emit = emit_quantized_matmul,
     .choices = kSumChoices,
     .choose = choose_quantized_matmul,
     .scratch_bytes = scratch_bytes_of_integer_sums},
};

}  // namespace

std::span<const DispatchRow> quantized_matmul_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

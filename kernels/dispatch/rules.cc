// The table of dispatch rows: every member of a family, and operators of their own that are
// listed; the forms of an operator lie together, the best first.
#include "kernels/dispatch/rules.h"

#include <algorithm>
#include <array>

namespace arenite {
namespace {

using Accepts = bool(const Step&);
using Emit = Status(const Step&, const DispatchSink&);
using Choose = uint32_t(const Step&, const Capabilities&);

// A row with one way to carry it out.
constexpr DispatchRow row(Op op, uint8_t form, Shader shader, Accepts* accepts, Emit* emit) {
  return {.op = op, .form = form, .shader = shader, .accepts = accepts, .emit = emit};
}

constexpr DispatchRow with_choices(uint32_t count, Choose* choose, DispatchRow row) {
  row.choices = count;
  row.choose = choose;
  return row;
}

constexpr DispatchRow with_scratch(uint64_t (*bytes)(const Step&), DispatchRow row) {
  row.scratch_bytes = bytes;
  return row;
}

constexpr DispatchRow taking_empty_inputs(DispatchRow row) {
  row.takes_empty_inputs = true;
  return row;
}

constexpr DispatchRow with_check(Emit* check, DispatchRow row) {
  row.check = check;
  return row;
}

constexpr Shader reduce_shader(Op op) {
  return op == Op::kArgMax || op == Op::kArgMin ? Shader::kReduceArg : Shader::kReduce;
}

constexpr auto kRows = std::to_array<DispatchRow>({
#define ARENITE_OP_unary(number, name, Type, set)                  \
  row(Op::k##Type, 0, Shader::kUnary, supports_unary, emit_unary), \
      row(Op::k##Type, 1, Shader::kUnaryAny, supports_unary_any, emit_unary_any),
#define ARENITE_OP_binary(number, name, Type, set)                    \
  row(Op::k##Type, 0, Shader::kBinary, supports_binary, emit_binary), \
      row(Op::k##Type, 1, Shader::kBinaryAny, supports_binary_any, emit_binary_any),
#define ARENITE_OP_reduce(number, name, Type, set)                                             \
  with_choices(2, choose_reduce,                                                               \
               row(Op::k##Type, 0, reduce_shader(Op::k##Type), supports_reduce, emit_reduce)), \
      with_choices(2, choose_reduce,                                                           \
                   row(Op::k##Type, 1, Shader::kReduceAny, supports_reduce_any, emit_reduce_any)),
#define ARENITE_OP_pool(number, name, Type, set)                \
  row(Op::k##Type, 0, Shader::kPool, supports_pool, emit_pool), \
      row(Op::k##Type, 1, Shader::kIntegerPool, supports_pool_any, emit_pool_any),
#define ARENITE_OP_softmax(number, name, Type, set)                                            \
  with_choices(                                                                                \
      1, choose_softmax_subgroup,                                                              \
      row(Op::k##Type, 1, Shader::kSoftmaxSubgroup, supports_softmax, emit_softmax_subgroup)), \
      with_choices(2, choose_softmax,                                                          \
                   row(Op::k##Type, 0, Shader::kSoftmax, supports_softmax, emit_softmax)),
#define ARENITE_OP_move(number, name, Type, set) \
  taking_empty_inputs(row(Op::k##Type, 0, Shader::kMove, supports_move, emit_move)),
#define ARENITE_OP_indexed(number, name, Type, set)                                  \
  with_check(check_indexed,                                                          \
             row(Op::k##Type, 1, Shader::kIndexed, supports_indexed, emit_indexed)), \
      row(Op::k##Type, 0, Shader::kIndexed, supports_indexed, emit_indexed),
#define ARENITE_OP_recurrent(number, name, Type, set)                                             \
  with_check(check_recurrent, with_scratch(scratch_bytes_of_recurrent,                            \
                                           with_choices(1, choose_recurrent_group,                \
                                                        row(Op::k##Type, 3, Shader::kRecurrent,   \
                                                            supports_recurrent_group_lengths,     \
                                                            emit_recurrent_group)))),             \
      with_check(check_recurrent, with_scratch(scratch_bytes_of_recurrent,                        \
                                               row(Op::k##Type, 2, Shader::kRecurrent,            \
                                                   supports_recurrent_lengths, emit_recurrent))), \
      with_scratch(scratch_bytes_of_recurrent,                                                    \
                   with_choices(1, choose_recurrent_group,                                        \
                                row(Op::k##Type, 1, Shader::kRecurrent, supports_recurrent_group, \
                                    emit_recurrent_group))),                                      \
      with_scratch(scratch_bytes_of_recurrent,                                                    \
                   row(Op::k##Type, 0, Shader::kRecurrent, supports_recurrent, emit_recurrent)),
#include "schema/ops.def"
    row(Op::kAttention, 0, Shader::kAttention, supports_attention, emit_attention),
    row(Op::kBatchNormalization, 0, Shader::kBatchNormalization, supports_batch_normalization,
        emit_batch_normalization),
    row(Op::kCast, 1, Shader::kMove, supports_cast_copy, emit_cast_copy),
    row(Op::kCast, 0, Shader::kCast, supports_cast, emit_cast),
    row(Op::kClip, 1, Shader::kUnary, supports_clip_constant, emit_clip_constant),
    row(Op::kClip, 0, Shader::kClip, supports_clip, emit_clip),
    with_choices(8, choose_conv_panel,
                 row(Op::kConv, 1, Shader::kConvPanel, supports_conv_panel, emit_conv_panel)),
    with_choices(
        3, choose_conv_depthwise,
        row(Op::kConv, 2, Shader::kConvDepthwise, supports_conv_depthwise, emit_conv_depthwise)),
    row(Op::kConv, 0, Shader::kConv, supports_conv, emit_conv),
    row(Op::kConv3d, 0, Shader::kConv3d, supports_conv_3d, emit_conv_3d),
    row(Op::kConvTranspose, 0, Shader::kConvTranspose, supports_conv_transpose,
        emit_conv_transpose),
    row(Op::kDft, 0, Shader::kDft, supports_dft, emit_dft),
    with_check(check_gather, row(Op::kGather, 1, Shader::kGather, supports_gather, emit_gather)),
    row(Op::kGather, 0, Shader::kGather, supports_gather, emit_gather),
    row(Op::kGridSample, 0, Shader::kGridSample, supports_grid_sample, emit_grid_sample),
    row(Op::kLrn, 0, Shader::kLrn, supports_lrn, emit_lrn),
    with_scratch(scratch_bytes_of_matmul_split,
                 with_choices(5, choose_matmul_split,
                              row(Op::kMatMul, 1, Shader::kMatMulSplit, supports_matmul_split,
                                  emit_matmul_split))),
    with_choices(3, choose_matmul,
                 row(Op::kMatMul, 0, Shader::kMatMul, supports_matmul, emit_matmul)),
    with_choices(2, choose_normalize,
                 row(Op::kNormalize, 0, Shader::kNormalize, supports_normalize, emit_normalize)),
    with_check(check_max_unpool,
               row(Op::kMaxUnpool, 1, Shader::kMaxUnpool, supports_max_unpool, emit_max_unpool)),
    row(Op::kMaxUnpool, 0, Shader::kMaxUnpool, supports_max_unpool, emit_max_unpool),
    row(Op::kQuantize, 0, Shader::kInteger, supports_quantize, emit_quantize),
    row(Op::kDequantize, 0, Shader::kInteger, supports_dequantize, emit_dequantize),
    with_scratch(scratch_bytes_of_dynamic_quantize,
                 row(Op::kDynamicQuantize, 0, Shader::kDynamicQuantize, supports_dynamic_quantize,
                     emit_dynamic_quantize)),
    row(Op::kLookup, 0, Shader::kInteger, supports_lookup, emit_lookup),
    row(Op::kRequantize, 0, Shader::kInteger, supports_requantize, emit_requantize),
    row(Op::kQuantizedAdd, 0, Shader::kInteger, supports_quantized_add, emit_quantized_add),
    row(Op::kQuantizedMul, 0, Shader::kInteger, supports_quantized_mul, emit_quantized_mul),
    with_scratch(scratch_bytes_of_quantized_lstm,
                 row(Op::kQuantizedLstm, 0, Shader::kQuantizedLstm, supports_quantized_lstm,
                     emit_quantized_lstm)),
    row(Op::kQuantizedPRelu, 0, Shader::kInteger, supports_quantized_prelu, emit_quantized_prelu),
    row(Op::kQuantizedAveragePool, 0, Shader::kIntegerPool, supports_quantized_average_pool,
        emit_quantized_average_pool),
    with_choices(2, choose_quantized_sum,
                 row(Op::kQuantizedSum, 0, Shader::kQuantizedSum, supports_quantized_sum,
                     emit_quantized_sum)),
    with_choices(2, choose_quantized_softmax,
                 row(Op::kQuantizedSoftmax, 0, Shader::kQuantizedSoftmax,
                     supports_quantized_softmax, emit_quantized_softmax)),
    with_scratch(scratch_bytes_of_integer_sums,
                 row(Op::kQuantizedConv, 1, Shader::kQuantizedConvDot, supports_quantized_conv_dot,
                     emit_quantized_conv_dot)),
    with_scratch(scratch_bytes_of_integer_sums, row(Op::kQuantizedConv, 0, Shader::kQuantizedConv,
                                                    supports_quantized_conv, emit_quantized_conv)),
    with_scratch(scratch_bytes_of_integer_sums,
                 row(Op::kQuantizedConvTranspose, 0, Shader::kQuantizedConvTranspose,
                     supports_quantized_conv_transpose, emit_quantized_conv_transpose)),
    with_scratch(scratch_bytes_of_integer_sums,
                 row(Op::kQuantizedMatMul, 1, Shader::kQuantizedMatMulDot,
                     supports_quantized_matmul_dot, emit_quantized_matmul_dot)),
    with_scratch(scratch_bytes_of_integer_sums,
                 row(Op::kQuantizedMatMul, 0, Shader::kQuantizedMatMul, supports_quantized_matmul,
                     emit_quantized_matmul)),
    row(Op::kResize, 0, Shader::kResize, supports_resize, emit_resize),
    with_check(check_roi_align,
               row(Op::kRoiAlign, 1, Shader::kRoiAlign, supports_roi_align, emit_roi_align)),
    row(Op::kRoiAlign, 0, Shader::kRoiAlign, supports_roi_align, emit_roi_align),
    row(Op::kCumSum, 0, Shader::kCumSum, supports_cum_sum, emit_cum_sum),
    row(Op::kOneHot, 0, Shader::kOneHot, supports_one_hot, emit_one_hot),
    with_check(check_reverse_sequence, row(Op::kReverseSequence, 1, Shader::kReverseSequence,
                                           supports_reverse_sequence, emit_reverse_sequence)),
    row(Op::kReverseSequence, 0, Shader::kReverseSequence, supports_reverse_sequence,
        emit_reverse_sequence),
    row(Op::kSvdf, 0, Shader::kSvdf, supports_svdf, emit_svdf),
    row(Op::kTopK, 0, Shader::kTopK, supports_top_k, emit_top_k),
    row(Op::kWhere, 0, Shader::kWhere, supports_where, emit_where),
});

}  // namespace

std::span<const DispatchRow> rows_of(Op op) {
  const auto of_op = [op](const DispatchRow& row) { return row.op == op; };
  const auto* first = std::find_if(kRows.begin(), kRows.end(), of_op);
  return {first, std::find_if_not(first, kRows.end(), of_op)};
}

const DispatchRow* find_row(Op op, uint8_t form) {
  for (const DispatchRow& row : rows_of(op)) {
    if (row.form == form) return &row;
  }
  return nullptr;
}

const DeviceNeed* missing_need(const DispatchRow& row, const Capabilities& device) {
  for (const DeviceNeed& need : needs_of(row.shader)) {
    if (!device.meets(static_cast<uint32_t>(need.capability), need.minimum)) return &need;
  }
  return nullptr;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

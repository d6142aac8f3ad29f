// The importers of all operators: each turns one node of a model into nodes of the graph.
#pragma once

#include <span>
#include <string_view>

#include "ops/attributes.h"
#include "planner/import/model/op_context.h"

namespace arenite::planner {

#define ARENITE_ONNX_OWN(Name, name, ...) void import_##name(OpContext& context);
#include "planner/import/onnx/operators/names.def"

// Adds `op`, of family unary, over input 0. Its parameters are float attributes with these
// defaults.
struct Parameter {
  const char* name = nullptr;  // null: no attribute, always `otherwise`
  float otherwise = 0;
};
void import_unary(OpContext& context, Op op, const Parameter& alpha = {},
                  const Parameter& beta = {});

// Adds `op`, of family binary, over inputs 0 and 1: numpy's broadcasting, or before opset 7 the
// attributes axis and broadcast.
void import_binary(OpContext& context, Op op);
// The same of a comparison: the result is bool.
void import_comparison(OpContext& context, Op op);
// The same of Pow, whose operands may differ in type, and of Mod.
void import_power(OpContext& context);
void import_mod(OpContext& context);

// Cast to the type of input 1; and the number of elements of input 0.
void import_cast_like(OpContext& context);
void import_size(OpContext& context);

// Adds `op`, of family binary, between the first two inputs, that and the third, and so on; a copy
// of the only one.
void import_chain(OpContext& context, Op op);

// Adds `op`, of family softmax, over input 0; and 1 for the greatest element, 0 for all others.
void import_softmax(OpContext& context, Op op);
void import_hardmax(OpContext& context);

// LayerNormalization and those that leave something out of it.
struct LayerKind {
  Norm norm = Norm::kDeviation;
  size_t outputs = 1;
};
void import_layer_normalization(OpContext& context, const LayerKind& kind);
void import_instance_normalization(OpContext& context);
void import_group_normalization(OpContext& context);
void import_lp_normalization(OpContext& context);
void import_mean_variance_normalization(OpContext& context);

// IsNaN and IsInf: comparisons of the input with itself, or with infinities.
void import_is_nan(OpContext& context);
void import_is_inf(OpContext& context);

// The sum of all inputs, divided by how many they are.
void import_mean(OpContext& context);

// Losses of shares of classes [N, C, ...] (their logarithms; or what softmax makes them of).
void import_negative_log_likelihood_loss(OpContext& context);
void import_softmax_cross_entropy_loss(OpContext& context);

// Attention and RotaryEmbedding of opset 23.
void import_attention(OpContext& context);
void import_rotary_embedding(OpContext& context);

// Operators of com.microsoft, which ONNX Runtime writes.
void import_bias_gelu(OpContext& context);
void import_fast_gelu(OpContext& context);
void import_quick_gelu(OpContext& context);
void import_bias_split_gelu(OpContext& context);
void import_bias_add(OpContext& context);
void import_skip_layer_normalization(OpContext& context, const LayerKind& kind);
void import_embed_layer_normalization(OpContext& context);
void import_microsoft_group_norm(OpContext& context, bool skips);
void import_multi_head_attention(OpContext& context);
void import_microsoft_attention(OpContext& context);
void import_qattention(OpContext& context);
void import_microsoft_rotary_embedding(OpContext& context);
void import_fused_conv(OpContext& context);
void import_fused_gemm(OpContext& context);
void import_fused_matmul(OpContext& context);

// Adds `op`, of family reduce, over input 0. The axes are an attribute, or where the operator's row
// says so an input.
void import_reduce(OpContext& context, Op op);

// The same of log(sum(exp(x))), by nodes that do not overflow.
void import_reduce_log_sum_exp(OpContext& context);

// Adds `op`, arg_max or arg_min, over input 0.
void import_arg(OpContext& context, Op op);

// Adds `op`, of family reduce, over all spatial dimensions of input 0.
void import_global_pool(OpContext& context, Op op);

// LpPool over one to three spatial dimensions, and GlobalLpPool over all.
void import_lp_pool(OpContext& context);
void import_global_lp_pool(OpContext& context);

// DepthToSpace and SpaceToDepth: transposed in blocks.
void import_depth_to_space(OpContext& context);
void import_space_to_depth(OpContext& context);

// Windows a0 - a1 * cos(t) + a2 * cos(2t), and weights of mel bands: constants.
struct CosineWindow {
  double a0, a1, a2;
};
void import_cosine_window(OpContext& context, const CosineWindow& window);
void import_mel_weight_matrix(OpContext& context);

// Fourier transforms of a signal, and of frames of it.
void import_dft(OpContext& context);
void import_stft(OpContext& context);

// Upsample, the Resize of opsets 7 to 9.
void import_upsample(OpContext& context);

// Expand and Tile: copies of the input, read again and again.
void import_expand(OpContext& context);
void import_tile(OpContext& context);

// LSTM, GRU and RNN.
void import_recurrent(OpContext& context, Op op);

// Operators of family indexed.
void import_gather_nd(OpContext& context);
void import_gather_elements(OpContext& context);
void import_scatter_nd(OpContext& context);
void import_scatter_elements(OpContext& context);

// QuantizeLinear and DequantizeLinear.
void import_quantize_linear(OpContext& context);
void import_dequantize_linear(OpContext& context);

// QLinear*: the operators of floats between dequantizes and a quantize.
void import_qlinear_conv(OpContext& context);
void import_qlinear_matmul(OpContext& context);
void import_qlinear_binary(OpContext& context, Op op);
void import_qlinear_unary(OpContext& context, Op op, const Parameter& alpha = {});
void import_qlinear_concat(OpContext& context);
void import_qlinear_softmax(OpContext& context);
void import_qlinear_pool(OpContext& context, bool global);
void import_qlinear_reduce_mean(OpContext& context);
void import_qlinear_where(OpContext& context);
void import_qgemm(OpContext& context);

// Products of integers, and integers by the range that data has.
void import_conv_integer(OpContext& context);
void import_matmul_integer(OpContext& context);
void import_dynamic_quantize_linear(OpContext& context);
void import_matmul_integer_to_float(OpContext& context);
void import_dynamic_quantize_matmul(OpContext& context);

// BitShift: a member of family binary for each direction.
void import_bit_shift(OpContext& context);

// The operators of a domain, "" being ONNX's own, in the order of names.
std::span<const ImportRow> import_rows(std::string_view domain);
// One of them, or null.
const ImportRow* find_import_row(std::string_view domain, std::string_view op_type);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

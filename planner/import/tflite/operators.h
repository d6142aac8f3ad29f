// The importers of TensorFlow Lite's operators, and which operator has which.
#pragma once

#include "planner/import/tflite/context.h"

namespace arenite::planner::tflite {

// Permutations of images: the format's are channels-last.
inline const std::vector<int64_t> kChannelsFirst = {0, 3, 1, 2};
inline const std::vector<int64_t> kChannelsLast = {0, 2, 3, 1};
// Makes one line of a column, channels first, and the column again.
inline const std::vector<int64_t> kColumnToLine = {0, 3, 2, 1};

using tflite_schema::ActivationFunctionType;

// The activation that the operator's options, a T, name.
template <typename T>
ActivationFunctionType fused(const Context& context) {
  return context.options<T>().fused_activation_function();
}

// --- elementwise.cc: ONNX's operators of one and of two operands, and what is made of them.
void unary(Context& context, const char* op_type);
void binary(Context& context, const char* op_type);
void comparison(Context& context, const char* op_type);
void arithmetic(Context& context, const char* op_type, ActivationFunctionType activation);
void clip(Context& context, float low, float high);
void leaky_relu(Context& context);
void gelu(Context& context);
void square(Context& context);
void squared_difference(Context& context);
void reciprocal_root(Context& context);
void not_equal(Context& context);
void floor_div(Context& context);
void floor_mod(Context& context);
void add_n(Context& context);
void select(Context& context);
void select_v2(Context& context);
void unique(Context& context);
void where(Context& context);
void cast(Context& context);
void dequantize(Context& context);
void quantize(Context& context);

// --- convolution.cc, resize.cc: images are [N, H, W, C], which ONNX's operators see through
// transposed views.
void conv_2d(Context& context);
void depthwise_conv_2d(Context& context);
void transpose_conv(Context& context);
void transpose_conv_bias(Context& context);
void max_pool(Context& context);
void average_pool(Context& context);
void l2_pool(Context& context);
void local_response_normalization(Context& context);
void resize_bilinear(Context& context);
void resize_nearest(Context& context);
void depth_to_space(Context& context);
void space_to_depth(Context& context);
void space_to_batch(Context& context);
void batch_to_space(Context& context);

// --- convolution_3d.cc
void conv_3d(Context& context);
void conv_3d_transpose(Context& context);

// --- matrix.cc
void fully_connected(Context& context);
void batch_matmul(Context& context);

// --- reduction.cc
void reduce(Context& context, const char* op_type);
void arg(Context& context, const char* op_type);
void softmax(Context& context);
void log_softmax(Context& context);
void l2_normalization(Context& context);
void cumsum(Context& context);
void top_k(Context& context);

// --- shaping.cc, moving.cc, slicing.cc
void reshape(Context& context);
void squeeze(Context& context);
void expand_dims(Context& context);
void transpose(Context& context);
void shape(Context& context);
void rank(Context& context);
void zeros_like(Context& context);
void fill(Context& context);
void range(Context& context);
void concatenation(Context& context);
void pack(Context& context);
void unpack(Context& context);
void split(Context& context);
void split_v(Context& context);
void pad(Context& context);
void mirror_pad(Context& context);
void tile(Context& context);
void broadcast_to(Context& context);
void slice(Context& context);
void strided_slice(Context& context);
void reverse(Context& context);
void reverse_sequence(Context& context);
void gather(Context& context);
void gather_nd(Context& context);
void embedding_lookup(Context& context);
void one_hot(Context& context);

// --- recurrent.cc
void sequence_lstm(Context& context);
void sequence_rnn(Context& context);

// --- detection.cc
void detection_post_process(Context& context);
void non_max_suppression(Context& context, bool with_scores);

// --- control_flow.cc
void call(Context& context);
void branch(Context& context);
void while_loop(Context& context);

// --- variables.cc
void var_handle(Context& context);
void read_variable(Context& context);
void assign_variable(Context& context);
void call_once(Context& context);

// --- state.cc
void svdf(Context& context);
void integer_sequence_lstm(Context& context);

// --- densify.cc
void densify(Context& context);

using Importer = void (*)(Context& context);

// The importer of an operator, or null, why there is none, and the nearest thing that works.
struct Known {
  Importer importer = nullptr;
  const char* why = nullptr;
  const char* instead = "";
};
Known find_importer(const Operator& op);

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0

// Imports TensorFlow Lite's convolutions over volumes: [N, D, H, W, C], weights [D, H, W, in, out]
// or, of transposed ones, [D, H, W, out, in].
#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

const std::vector<int64_t> kVolumeChannelsFirst = {0, 4, 1, 2, 3};
const std::vector<int64_t> kVolumeChannelsLast = {0, 2, 3, 4, 1};
// The permutation that makes weights of both kinds those of ONNX's operator.
const std::vector<int64_t> kWeightsFirst = {4, 3, 0, 1, 2};

const schema::Conv3DOptions& options_of(const Context& context) {
  return context.options<schema::Conv3DOptions>();
}

// Depth, height, width.
std::vector<int64_t> positive_numbers(const Context& context, std::vector<int64_t> numbers,
                                      const char* what) {
  for (const int64_t number : numbers) {
    if (number < 1) {
      context.fail(std::string(what) + " are " + dims_text(numbers) + ", expected 1 or more");
    }
  }
  return numbers;
}

std::vector<int64_t> strides_of(const Context& context) {
  const auto& options = options_of(context);
  return positive_numbers(context, {options.stride_d(), options.stride_h(), options.stride_w()},
                          "strides");
}

Attributes attributes_of(const Context& context) {
  const auto& options = options_of(context);
  if (options.padding() != schema::Padding_SAME && options.padding() != schema::Padding_VALID) {
    context.fail("padding " + std::to_string(int{options.padding()}) +
                 " is neither SAME nor VALID");
  }
  Attributes attributes;
  attributes.with("auto_pad", options.padding() == schema::Padding_SAME ? "SAME_UPPER" : "VALID")
      .with("strides", strides_of(context))
      .with("dilations", positive_numbers(context,
                                          {options.dilation_d_factor(), options.dilation_h_factor(),
                                           options.dilation_w_factor()},
                                          "dilations"));
  return attributes;
}

// `x` and `weights` of rank 5, and operand `bias` where it is there.
std::vector<ValueId> operands(Context& context, ValueId x, ValueId weights, size_t bias) {
  context.expect_rank(x, 5);
  context.expect_rank(weights, 5);
  std::vector<ValueId> inputs = {context.transposed(x, kVolumeChannelsFirst),
                                 context.transposed(weights, kWeightsFirst)};
  if (context.has_input(bias)) inputs.push_back(context.input(bias));
  return inputs;
}

void give(Context& context, ValueId y) {
  const ValueId bent = context.activated(y, options_of(context).fused_activation_function());
  context.result(0, context.transposed(bent, kVolumeChannelsLast));
}

// Checks that a convolution the other way makes so many results of the input.
void check_shape(const Context& context, const std::vector<int64_t>& shape, const Dims& x,
                 const Dims& weights) {
  const std::vector<int64_t> strides = strides_of(context);
  bool agree = shape.size() == 5 && x[0] == shape[0] && weights[3] == shape[4];
  for (size_t axis = 1; agree && axis < 4; ++axis) {
    const int64_t stride = strides[axis - 1];
    const Dim room = options_of(context).padding() == schema::Padding_SAME
                         ? Dim(shape[axis] + stride - 1)
                         : shape[axis] + stride - weights[axis - 1];
    agree = shape[axis] >= 1 && room / stride == x[axis];
  }
  if (agree) return;
  context.fail("output_shape " + dims_text(shape) + ", weights " + dims_text(weights) + ", input " +
               dims_text(x) + " and strides " + dims_text(strides) + " contradict each other");
}

}  // namespace

void conv_3d(Context& context) {
  context.expect_operands(2, 3);
  const std::vector<ValueId> inputs = operands(context, context.input(0), context.weights(1), 2);
  give(context, context.add("Conv", inputs, attributes_of(context)));
}

// The results' dims are operand 0.
void conv_3d_transpose(Context& context) {
  context.expect_operands(3, 4);
  const auto& options = options_of(context);
  if (options.dilation_d_factor() != 1 || options.dilation_h_factor() != 1 ||
      options.dilation_w_factor() != 1) {
    context.unsupported("dilations are not supported", "dilations of 1");
  }
  const std::vector<int64_t> shape = context.integers(0, "output_shape");
  const ValueId weights = context.weights(1);
  const ValueId x = context.input(2);
  const std::vector<ValueId> inputs = operands(context, x, weights, 3);
  check_shape(context, shape, context.dims(x), context.dims(weights));
  Attributes attributes = attributes_of(context);
  attributes.with("output_shape", std::vector<int64_t>(shape.begin() + 1, shape.end() - 1));
  give(context, context.add("ConvTranspose", inputs, std::move(attributes)));
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0

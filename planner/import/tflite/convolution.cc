// Imports TensorFlow Lite's convolutions: channels-last images, weights [outputs, height, width,
// inputs].
#include <algorithm>
#include <type_traits>

#include "planner/graph/names.h"
#include "planner/import/tflite/hybrid.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

struct Step {
  int64_t height, width;
};

std::vector<int64_t> positive(const Context& context, const Step& step, const char* what) {
  if (step.height < 1 || step.width < 1) {
    context.fail(std::string(what) + " of " + std::to_string(step.height) + " and " +
                 std::to_string(step.width) + ", expected 1 or more");
  }
  return {step.height, step.width};
}

const char* padding_name(const Context& context, schema::Padding padding) {
  if (padding == schema::Padding_SAME) return "SAME_UPPER";
  if (padding == schema::Padding_VALID) return "VALID";
  context.fail("padding " + std::to_string(int{padding}) + " is neither SAME nor VALID");
}

// Adds the convolution of an image by weights that `permutation` makes ONNX's. Images of one
// column, as those of sounds are, become images of one line, which kernels compute many places at a
// time.
template <typename T>
void convolve(Context& context, const T& options, ValueId x, std::vector<int64_t> permutation,
              const Dim& groups) {
  const bool hybrid = is_hybrid(context, 0, 1);
  std::vector<int64_t> strides =
      positive(context, {options.stride_h(), options.stride_w()}, "strides");
  std::vector<int64_t> dilations =
      positive(context, {options.dilation_h_factor(), options.dilation_w_factor()}, "dilations");
  const bool is_column =
      !hybrid && context.dims(x)[2] == 1 && context.dims(context.weights(1))[2] == 1;
  if (is_column) {
    std::swap(permutation[2], permutation[3]);
    std::swap(strides[0], strides[1]);
    std::swap(dilations[0], dilations[1]);
  }
  Attributes attributes;
  attributes.with("group", baked(groups, "the groups of a convolution"))
      .with("auto_pad", padding_name(context, options.padding()))
      .with("strides", strides)
      .with("dilations", dilations);
  ValueId y = kNoValue;
  if (hybrid) {
    const ValueId weights = context.transposed(context.stored(1), permutation);
    y = hybrid_conv(context, x, weights, std::move(attributes));
  } else {
    const ValueId weights = context.transposed(context.weights(1), permutation);
    std::vector<ValueId> inputs = {
        context.transposed(x, is_column ? kColumnToLine : kChannelsFirst), weights};
    constexpr Context::Product kProduct = {.x = 0, .weights = 1};
    constexpr bool kIsDepthwise = std::is_same_v<T, schema::DepthwiseConv2DOptions>;
    const ValueId bias = kIsDepthwise
                             ? context.bias(2, kProduct)
                             : context.bias_or_zeros(2, kProduct, context.dims(weights)[0]);
    if (bias != kNoValue) inputs.push_back(bias);
    y = context.add("Conv", inputs, std::move(attributes));
  }
  y = context.activated(y, options.fused_activation_function());
  context.result(0, context.transposed(y, is_column ? kColumnToLine : kChannelsLast));
}

}  // namespace

void conv_2d(Context& context) {
  context.expect_operands(2, 3);
  const ValueId x = context.input(0);
  const ValueId weights = context.weights(1);
  context.expect_rank(x, 4);
  context.expect_rank(weights, 4);
  const Dim channels = context.dims(x)[3];
  const Dim per_group = context.dims(weights)[3];
  if (per_group == 0 || channels % per_group != 0) {
    context.fail("weights " + dims_text(context.value(weights).dims) + " read " +
                 dim_text(per_group) + " channels a group, which does not divide the " +
                 dim_text(channels) + " of input " + dims_text(context.value(x).dims));
  }
  convolve(context, context.options<schema::Conv2DOptions>(), x, kChannelsFirst,
           channels / per_group);
}

// Weights [1, height, width, channels * multiplier]: each channel has results of its own.
void depthwise_conv_2d(Context& context) {
  context.expect_operands(2, 3);
  const ValueId x = context.input(0);
  const ValueId weights = context.weights(1);
  context.expect_rank(x, 4);
  context.expect_rank(weights, 4);
  const auto& options = context.options<schema::DepthwiseConv2DOptions>();
  const Dim channels = context.dims(x)[3];
  const Dims dims = context.dims(weights);
  if (dims[0] != 1 || channels == 0 || dims[3] % channels != 0) {
    context.fail("expected weights [1, height, width, a multiple of " + dim_text(channels) +
                 "] for input " + dims_text(context.value(x).dims) + ", found " +
                 dims_text(context.value(weights).dims));
  }
  // Older models leave the multiplier out.
  if (options.depth_multiplier() != 0 && options.depth_multiplier() != dims[3] / channels) {
    context.fail("depth_multiplier is " + std::to_string(options.depth_multiplier()) +
                 ", the weights " + dims_text(context.value(weights).dims) + " have " +
                 dim_text(dims[3] / channels));
  }
  convolve(context, options, x, {3, 0, 1, 2}, channels);
}

namespace {

// The border that a transposed convolution adds and cuts to give `size` results.
struct Border {
  int64_t begin, end, more;
};

Border border(const Context& context, schema::Padding padding, const Dim& in_of,
              const Dim& kernel_of, int64_t stride, const Dim& size_of) {
  const char* const why = "the padding of a transposed convolution";
  const int64_t in = baked(in_of, why), kernel = baked(kernel_of, why), size = baked(size_of, why);
  const int64_t steps = padding == schema::Padding_SAME ? (size + stride - 1) / stride
                                                        : (size + stride - kernel) / stride;
  if (size < 1 || steps != in) {
    context.fail("output_shape asks for " + std::to_string(size) + " results from " +
                 std::to_string(in) + " by a window of " + std::to_string(kernel) +
                 " and a stride of " + std::to_string(stride) + ": these make " +
                 std::to_string(steps) + " of it");
  }
  const int64_t reach = (in - 1) * stride + kernel;
  const int64_t surplus = std::max<int64_t>(reach - size, 0);
  const int64_t begin = padding == schema::Padding_SAME ? surplus / 2 : 0;
  return {begin, surplus - begin, std::max<int64_t>(size - reach, 0)};
}

// A convolution backwards: weights are [outputs, height, width, inputs].
struct Backwards {
  ValueId x, weights, bias;  // bias may be left out
  schema::Padding padding;
  Step strides;
  Dims shape;  // of the results, channels-last
};

ValueId convolve_backwards(Context& context, const Backwards& wanted) {
  const Dims dims = context.dims(wanted.x);
  const Dims kernel = context.dims(wanted.weights);
  const Dims& shape = wanted.shape;
  if (shape.size() != 4 || shape[0] != dims[0] || shape[3] != kernel[0] || dims[3] != kernel[3]) {
    context.fail("output shape " + dims_text(shape) + ", weights " + dims_text(kernel) +
                 " and input " + dims_text(dims) + " contradict each other");
  }
  const std::vector<int64_t> strides = positive(context, wanted.strides, "strides");
  const Border rows = border(context, wanted.padding, dims[1], kernel[1], strides[0], shape[1]);
  const Border columns = border(context, wanted.padding, dims[2], kernel[2], strides[1], shape[2]);
  std::vector<ValueId> inputs = {context.transposed(wanted.x, kChannelsFirst),
                                 context.transposed(wanted.weights, {3, 0, 1, 2})};
  if (wanted.bias != kNoValue) inputs.push_back(wanted.bias);
  Attributes attributes;
  attributes.with("strides", strides)
      .with("pads", std::vector<int64_t>{rows.begin, columns.begin, rows.end, columns.end})
      .with("output_padding", std::vector<int64_t>{rows.more, columns.more});
  return context.add("ConvTranspose", inputs, std::move(attributes));
}

}  // namespace

// The results' dims are operand 0.
void transpose_conv(Context& context) {
  context.expect_operands(3, 4);
  const auto& options = context.options<schema::TransposeConvOptions>();
  padding_name(context, options.padding());
  Backwards wanted;
  wanted.shape = context.integers(0, "output_shape");
  wanted.weights = context.weights(1);
  wanted.x = context.input(2);
  wanted.bias = context.bias(3, {.x = 2, .weights = 1});
  context.expect_rank(wanted.weights, 4);
  context.expect_rank(wanted.x, 4);
  wanted.padding = options.padding();
  wanted.strides = {options.stride_h(), options.stride_w()};
  const ValueId y =
      context.activated(convolve_backwards(context, wanted), options.fused_activation_function());
  context.result(0, context.transposed(y, kChannelsLast));
}

// MediaPipe's: options are the words padding (1: SAME, 2: VALID), horizontal and vertical stride.
void transpose_conv_bias(Context& context) {
  context.expect_operands(2, 3);
  int32_t words[3] = {};
  if (context.custom_options().size() < sizeof words) {
    context.fail("its options hold " + std::to_string(context.custom_options().size()) +
                 " bytes, expected 12 or more");
  }
  std::memcpy(words, context.custom_options().data(), sizeof words);
  if (words[0] != 1 && words[0] != 2) {
    context.fail("padding " + std::to_string(words[0]) + " is neither 1 (SAME) nor 2 (VALID)");
  }
  Backwards wanted;
  wanted.x = context.input(0);
  wanted.weights = context.weights(1);
  wanted.bias = context.bias(2, {.x = 0, .weights = 1});
  context.expect_rank(wanted.x, 4);
  context.expect_rank(wanted.weights, 4);
  wanted.padding = words[0] == 1 ? schema::Padding_SAME : schema::Padding_VALID;
  wanted.strides = {words[2], words[1]};
  const std::vector<int64_t> strides = positive(context, wanted.strides, "strides");
  const Dims dims = context.dims(wanted.x);
  const Dims kernel = context.dims(wanted.weights);
  const auto size = [&](size_t axis) -> Dim {
    const Dim in = dims[axis];
    const int64_t stride = strides[axis - 1];
    return wanted.padding == schema::Padding_SAME ? in * stride
                                                  : (in - 1) * stride + max(kernel[axis], stride);
  };
  wanted.shape = {dims[0], size(1), size(2), kernel[0]};
  context.result(0, context.transposed(convolve_backwards(context, wanted), kChannelsLast));
}

namespace {

ValueId pool(Context& context, const char* op_type, ValueId x) {
  context.expect_rank(x, 4);
  const auto& options = context.options<schema::Pool2DOptions>();
  Attributes attributes;
  attributes
      .with("kernel_shape",
            positive(context, {options.filter_height(), options.filter_width()}, "filter sizes"))
      .with("auto_pad", padding_name(context, options.padding()))
      .with("strides", positive(context, {options.stride_h(), options.stride_w()}, "strides"));
  return context.add(op_type, {context.transposed(x, kChannelsFirst)}, std::move(attributes));
}

void pooled(Context& context, ValueId y) {
  const auto activation = fused<schema::Pool2DOptions>(context);
  context.result(0, context.transposed(context.activated(y, activation), kChannelsLast));
}

}  // namespace

void max_pool(Context& context) {
  context.expect_operands(1, 1);
  const bool bends = fused<schema::Pool2DOptions>(context) != schema::ActivationFunctionType_NONE;
  const ValueId x = bends ? context.input(0) : context.stored_as_output(0);
  pooled(context, pool(context, "MaxPool", x));
}

// Padding does not count.
void average_pool(Context& context) {
  context.expect_operands(1, 1);
  pooled(context, pool(context, "AveragePool", context.input(0)));
}

// The root of the squares' mean.
void l2_pool(Context& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const ValueId mean = pool(context, "AveragePool", context.add("Mul", {x, x}));
  pooled(context, context.add("Sqrt", {mean}));
}

// Across channels; alpha is a factor of each square, where ONNX's is of their mean.
void local_response_normalization(Context& context) {
  context.expect_operands(1, 1);
  const auto& options = context.options<schema::LocalResponseNormalizationOptions>();
  const ValueId x = context.input(0);
  context.expect_rank(x, 4);
  constexpr int32_t kRadiusMax = 1 << 20;
  if (options.radius() < 0 || options.radius() > kRadiusMax) {
    context.fail("radius is " + std::to_string(options.radius()));
  }
  const int64_t size = 2 * int64_t{options.radius()} + 1;
  Attributes attributes;
  attributes.with("size", size)
      .with("alpha", options.alpha() * static_cast<float>(size))
      .with("beta", options.beta())
      .with("bias", options.bias());
  const ValueId y =
      context.add("LRN", {context.transposed(x, kChannelsFirst)}, std::move(attributes));
  context.result(0, context.transposed(y, kChannelsLast));
}

namespace {

void in_blocks(Context& context, const char* op_type, int64_t block) {
  context.expect_operands(1, 1);
  const ValueId x = context.stored(0);
  context.expect_rank(x, 4);
  if (block < 1) context.fail("block_size is " + std::to_string(block) + ", expected 1 or more");
  const ValueId y = context.add(op_type, {context.transposed(x, kChannelsFirst)},
                                Attributes().with("blocksize", block));
  context.result(0, context.transposed(y, kChannelsLast));
}

}  // namespace

void depth_to_space(Context& context) {
  in_blocks(context, "DepthToSpace", context.options<schema::DepthToSpaceOptions>().block_size());
}

void space_to_depth(Context& context) {
  in_blocks(context, "SpaceToDepth", context.options<schema::SpaceToDepthOptions>().block_size());
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0

// Imports layer, root mean square, instance, group, Lp and mean-variance normalization: one step
// each over some axes, with scale and bias.
#include "planner/import/onnx/operators/normalization.h"

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

std::vector<uint32_t> axes_from(uint32_t first, size_t rank) {
  std::vector<uint32_t> axes;
  for (uint32_t i = first; i < rank; ++i) axes.push_back(i);
  return axes;
}

uint32_t bits_of(const std::vector<uint32_t>& axes) {
  uint32_t bits = 0;
  for (const uint32_t axis : axes) bits |= 1u << axis;
  return bits;
}

// Input `i`, which must be repeatable over the dims of x; kNoValue where it is left out.
ValueId repeatable(OpContext& context, size_t i, ValueId x, const char* what) {
  if (!context.has_input(i)) return kNoValue;
  const ValueId operand = context.input(i);
  const Dims dims = context.dims(x);
  if (context.dtype(operand) != context.dtype(x)) {
    context.fail(std::string(what) + " is " + dtype_name(context.dtype(operand)) + ", expected " +
                 dtype_name(context.dtype(x)) + " as the input");
  }
  if (broadcast_dims(context, dims, context.dims(operand)) != dims) {
    context.fail(std::string(what) + " has dims " + dims_text(context.dims(operand)) +
                 ", which cannot be repeated over " + dims_text(dims));
  }
  return operand;
}

// Input `i`, a vector of `count` elements.
ValueId vector_of(OpContext& context, size_t i, const Dim& count, const char* what) {
  const ValueId operand = context.input(i);
  if (context.dims(operand) != Dims{count}) {
    context.fail(std::string(what) + " has dims " + dims_text(context.dims(operand)) +
                 ", expected [" + dim_text(count) + "]");
  }
  return operand;
}

std::vector<ValueId> operands_of(ValueId x, ValueId scale, ValueId bias) {
  std::vector<ValueId> inputs = {x, scale, bias};
  while (inputs.back() == kNoValue) inputs.pop_back();
  return inputs;
}

// The number by which LayerNormalization says in which type it computes: ours is float32 or wider.
void read_stash_type(OpContext& context) {
  const int64_t type = context.int_attribute("stash_type", 1);
  if (type != 1 && type != 10 && type != 11 && type != 16) {
    context.fail_attribute("stash_type", std::to_string(type) + " is no type of floats");
  }
}

}  // namespace

void add_statistics(OpContext& context, ValueId x, const NormalizeAttributes& attributes,
                    size_t mean_output, size_t inverse_output) {
  const bool wants_mean = context.wants_output(mean_output);
  const bool wants_inverse = context.wants_output(inverse_output);
  if (!wants_mean && !wants_inverse) return;
  Steps steps(context);
  const ValueId wide = steps.cast(x, DType::kFloat32);
  std::vector<uint32_t> axes;
  for (uint32_t i = 0; i < context.dims(x).size(); ++i) {
    if ((attributes.axes >> i & 1u) != 0) axes.push_back(i);
  }
  ValueId from = wide;
  if (attributes.norm == Norm::kDeviation) {
    const ValueId mean = steps.reduce(Op::kReduceMean, wide, axes);
    if (wants_mean) copy_to_output(context, mean_output, mean);
    from = steps.binary(Op::kSub, wide, mean);
  }
  if (!wants_inverse) return;
  const ValueId square = steps.reduce(Op::kReduceMean, steps.binary(Op::kMul, from, from), axes);
  const double epsilon{attributes.epsilon};
  const ValueId sum = steps.binary(Op::kAdd, square, steps.scalar(DType::kFloat32, epsilon));
  copy_to_output(context, inverse_output,
                 steps.unary(Op::kReciprocal, steps.unary(Op::kSqrt, sum)));
}

void import_layer_normalization(OpContext& context, const LayerKind& kind) {
  const bool deviation = kind.norm == Norm::kDeviation;
  context.expect_operands(2, deviation ? 3 : 2, kind.outputs);
  const ValueId x = context.input(0);
  const size_t rank = context.dims(x).size();
  const uint32_t axis = context.axis(context.int_attribute("axis", -1), rank, "axis");
  read_stash_type(context);
  const NormalizeAttributes attributes = {bits_of(axes_from(axis, rank)), kind.norm,
                                          context.float_attribute("epsilon", 1e-5f), 0, 0};
  const ValueId scale = repeatable(context, 1, x, "scale");
  const ValueId bias = deviation ? repeatable(context, 2, x, "bias") : kNoValue;
  const ValueId y = context.add_output(0, context.dtype(x), context.dims(x));
  context.add_node(Op::kNormalize, operands_of(x, scale, bias), {y}, attributes);
  // Only normalizations by the deviation have a mean among their outputs.
  add_statistics(context, x, attributes, deviation ? 1 : kind.outputs, deviation ? 2 : 1);
}

void import_instance_normalization(OpContext& context) {
  context.expect_operands(3, 3);
  if (context.opset() < 6) context.ignore_attribute("consumed_inputs");
  const ValueId x = context.input(0);
  const Dims dims = context.dims(x);
  if (dims.size() < 2) context.fail("expected [N, C, ...], found " + dims_text(dims));
  Steps steps(context);
  Dims channels(dims.size() - 1, 1);
  channels[0] = dims[1];
  const ValueId scale = steps.reshape(vector_of(context, 1, dims[1], "scale"), channels);
  const ValueId bias = steps.reshape(vector_of(context, 2, dims[1], "bias"), channels);
  const NormalizeAttributes attributes = {bits_of(axes_from(2, dims.size())), Norm::kDeviation,
                                          context.float_attribute("epsilon", 1e-5f), 0, 0};
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kNormalize, {x, scale, bias}, {y}, attributes);
}

ValueId add_groups(OpContext& context, const Groups& groups) {
  Steps steps(context);
  const Dims dims = steps.dims(groups.x);
  const size_t channel_axis = groups.channels_last ? dims.size() - 1 : 1;
  const Dim channels = dims[channel_axis];
  if (groups.count < 1 || channels % groups.count != 0) {
    context.fail_attribute(groups.name, std::to_string(groups.count) + " does not divide " +
                                            dim_text(channels) + " channels");
  }
  Dim pixels = 1;
  for (size_t i = 1; i < dims.size(); ++i) pixels *= i == channel_axis ? Dim(1) : dims[i];
  const Dim each = channels / groups.count;
  // Pixels before or behind the channels, which are two dims.
  const Dims parts = groups.channels_last ? Dims{dims[0], pixels, groups.count, each}
                                          : Dims{dims[0], groups.count, each, pixels};
  const auto spread = [&](ValueId vector) {
    const bool by_group = steps.dims(vector)[0] == groups.count && each != 1;
    Dims to = {groups.count, by_group ? Dim(1) : each};
    if (!groups.channels_last) to.push_back(1);
    return steps.reshape(vector, to);
  };
  const uint32_t axes = groups.channels_last ? 0b1010 : 0b1100;
  const ValueId normal =
      steps.normalize(steps.reshape(groups.x, parts), spread(groups.scale), spread(groups.bias),
                      {axes, Norm::kDeviation, groups.epsilon, 0, 0});
  return steps.reshape(normal, dims);
}

// Scale and bias are a number a group before opset 21, and one a channel from then on.
void import_group_normalization(OpContext& context) {
  context.expect_operands(3, 3);
  if (context.opset() >= 21) read_stash_type(context);
  const ValueId x = context.input(0);
  const Dims dims = context.dims(x);
  if (dims.size() < 2) context.fail("expected [N, C, ...], found " + dims_text(dims));
  Groups groups;
  groups.x = x;
  groups.name = "num_groups";
  groups.count = context.int_attribute("num_groups", 0);
  groups.epsilon = context.float_attribute("epsilon", 1e-5f);
  const Dim count = context.opset() >= 21 ? dims[1] : Dim(groups.count);
  groups.scale = vector_of(context, 1, count, "scale");
  groups.bias = vector_of(context, 2, count, "bias");
  copy_to_output(context, 0, add_groups(context, groups));
}

void import_lp_normalization(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const size_t rank = context.dims(x).size();
  const uint32_t axis = context.axis(context.int_attribute("axis", -1), rank, "axis");
  const int64_t p = context.int_attribute("p", 2);
  if (p != 1 && p != 2) {
    context.fail_attribute("p", "is " + std::to_string(p) + ", expected 1 or 2");
  }
  const ValueId y = context.add_output(0, context.dtype(x), context.dims(x));
  context.add_node(
      Op::kNormalize, {x}, {y},
      NormalizeAttributes{1u << axis, p == 1 ? Norm::kMagnitudes : Norm::kSquares, 0, 0, 0});
}

void import_mean_variance_normalization(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const std::vector<int64_t> given =
      context.ints_attribute("axes").value_or(std::vector<int64_t>{0, 2, 3});
  const std::vector<uint32_t> axes = context.axes(given, context.dims(x).size(), "axes");
  constexpr float kMargin = 1e-9f;  // ONNX adds it to the deviation
  const ValueId y = context.add_output(0, context.dtype(x), context.dims(x));
  context.add_node(Op::kNormalize, {x}, {y},
                   NormalizeAttributes{bits_of(axes), Norm::kDeviation, 0, kMargin, 0});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

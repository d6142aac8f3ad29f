// Brings scales and zero points to dims that broadcast, and adds dequantize and quantize nodes.
#include "planner/import/onnx/operators/scaled_numbers.h"

#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

// One number for each block, repeated for each index of the block.
ValueId repeated(OpContext& context, ValueId x, const Scaling& scaling) {
  const auto count = static_cast<uint64_t>(baked(scaling.axis_length, "the scale of each index"));
  context.expect_room({count, 2 * sizeof(int64_t)});
  std::vector<int64_t> indices(count);
  for (size_t i = 0; i < count; ++i) indices[i] = static_cast<int64_t>(i) / scaling.block;
  Dims dims = context.dims(x);
  dims[scaling.axis] = count;
  const ValueId blocks = Steps(context).constant({count}, indices);
  const ValueId y = context.add_between("blocks", context.dtype(x), dims);
  context.add_node(Op::kGather, {x, blocks}, {y}, GatherAttributes{scaling.axis});
  return y;
}

ValueId spread(OpContext& context, ValueId operand, const Scaling& scaling) {
  if (scaling.block > 0) return repeated(context, operand, scaling);
  return reshaped(context, operand, scaling.dims, scaling.dims.empty() ? "scalar" : "spread");
}

// Scale and zero point as operands of quantize and dequantize, behind x.
void append_scaling(OpContext& context, const Scaling& scaling, std::vector<ValueId>& inputs) {
  const ValueId scale = Steps(context).cast(scaling.scale, DType::kFloat32);
  const bool has_zero_point = scaling.zero_point != kNoValue;
  const ValueId zero_point =
      has_zero_point ? spread(context, scaling.zero_point, scaling) : kNoValue;
  inputs.push_back(spread(context, scale, scaling));
  if (has_zero_point) inputs.push_back(zero_point);
}

// Makes y of 4 bits: the integers for `inputs`, no wider than such integers are.
void add_four_bits(OpContext& context, const std::vector<ValueId>& inputs, ValueId y) {
  const DType type = context.dtype(y);
  const ValueId wide = context.add_between("integers", type, context.dims(y));
  context.add_node(Op::kQuantize, inputs, {wide}, QuantizeAttributes{Rounding::kHalfEven});
  const auto bound = [&](const char* name, int number) {
    return context.add_constant(name, type, {}, {static_cast<std::byte>(number)});
  };
  const bool is_signed = type == DType::kInt8;
  const ValueId low = bound("low", is_signed ? -8 : 0);
  const ValueId high = bound("high", is_signed ? 7 : 15);
  context.add_node(Op::kClip, {wide, low, high}, {y}, ClipAttributes{});
  context.set_four_bits(y);
}

}  // namespace

ValueId dequantized(OpContext& context, const ScaledIntegers& x) {
  std::vector<ValueId> inputs = {x.integers};
  append_scaling(context, x.scaling, inputs);
  const ValueId y = context.add_between("number", DType::kFloat32, context.dims(x.integers));
  context.add_node(Op::kDequantize, inputs, {y});
  return y;
}

ValueId dequantized_sums(OpContext& context, ValueId sums, const SumScaling& scaling) {
  Steps steps(context);
  const auto flat = [&](ValueId scale) {
    return context.value(scale).elements() == 1 ? steps.reshape(scale, {}) : scale;
  };
  ValueId scale = steps.binary(Op::kMul, flat(scaling.x.scale), flat(scaling.weights.scale));
  if (scaling.alpha != 1) {
    scale = steps.binary(Op::kMul, scale, steps.scalar(DType::kFloat32, scaling.alpha));
  }
  const ValueId y = context.add_between("bias", DType::kFloat32, context.dims(sums));
  context.add_node(Op::kDequantize, {sums, scale}, {y});
  return y;
}

void dequantize_to_output(OpContext& context, const ScaledIntegers& x, DType type) {
  std::vector<ValueId> inputs = {x.integers};
  append_scaling(context, x.scaling, inputs);
  const Dims dims = context.dims(x.integers);
  if (type == DType::kFloat32) {
    return context.add_node(Op::kDequantize, inputs, {context.add_output(0, type, dims)});
  }
  const ValueId wide = context.add_between("float32", DType::kFloat32, dims);
  context.add_node(Op::kDequantize, inputs, {wide});
  context.add_node(Op::kCast, {wide}, {context.add_output(0, type, dims)});
}

void quantize_to_output(OpContext& context, ValueId x, const Scaling& scaling) {
  std::vector<ValueId> inputs = {x};
  append_scaling(context, scaling, inputs);
  inputs[0] = Steps(context).cast(x, DType::kFloat32);
  const ValueId y = context.add_output(0, scaling.type.dtype, context.dims(x));
  if (scaling.type.four_bits) return add_four_bits(context, inputs, y);
  context.add_node(Op::kQuantize, inputs, {y}, QuantizeAttributes{Rounding::kHalfEven});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Checks scales and zero points, and brings them to dims that broadcast.
#include "planner/import/onnx/operators/scales.h"

#include <cmath>

#include "core/contract.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

std::string name_of(const OpContext& context, ValueId id) { return quote(context.value(id).name); }

std::string typed_name(const OpContext& context, ValueId id, const char* verb) {
  return name_of(context, id) + verb + type_name(context.type(id));
}

std::string count_text(const OpContext& context, ValueId id) {
  return name_of(context, id) + " has dims " + dims_text(context.dims(id));
}

void check_scales(const OpContext& context, ValueId scale) {
  const std::vector<float> scales = context.elements<float>(scale);
  for (size_t i = 0; i < scales.size(); ++i) {
    if (!std::isfinite(scales[i]) || scales[i] <= 0.0f) {
      context.fail("scale " + name_of(context, scale) + " holds " + std::to_string(scales[i]) +
                   " at " + std::to_string(i) + ", expected positive finite numbers");
    }
  }
}

// One number for each block: repeated for each index of the block.
ValueId repeated(OpContext& context, ValueId x, uint32_t axis, const Dim& size, int64_t block) {
  const auto count = static_cast<uint64_t>(baked(size, "the scale of each index"));
  context.expect_room({count, 2 * sizeof(int64_t)});
  std::vector<int64_t> indices(count);
  for (size_t i = 0; i < count; ++i) indices[i] = static_cast<int64_t>(i) / block;
  Dims dims = context.dims(x);
  dims[axis] = count;
  const ValueId of = Steps(context).constant({count}, indices);
  const ValueId y = context.add_between("blocks", context.dtype(x), dims);
  context.add_node(Op::kGather, {x, of}, {y}, GatherAttributes{axis});
  return y;
}

// The operand with dims that broadcast to those of x.
ValueId spread(OpContext& context, ValueId operand, const Dims& x, const ScaleAxis& axis) {
  const Dims dims = context.dims(operand);
  if (axis.block == 0 && dims.size() <= 1 && context.value(operand).elements() == 1) {
    return reshaped(context, operand, {}, "scalar");
  }
  if (!axis.axis) context.fail(count_text(context, operand) + ", expected a single number");
  const uint32_t at = context.axis(*axis.axis, x.size(), "axis");
  Dims expected = {x[at]};
  std::string expected_text =
      "a single number or " + dims_text(expected) + ", one for each index of";
  if (axis.block > 0) {
    expected = x;
    expected[at] = ceil_div(x[at], axis.block);
    expected_text = dims_text(expected) + " for blocks of " + std::to_string(axis.block) + " along";
  }
  if (dims != expected) {
    context.fail(count_text(context, operand) + ", expected " + expected_text + " axis " +
                 std::to_string(at) + " of " + dims_text(x));
  }
  if (axis.block > 0) return repeated(context, operand, at, x[at], axis.block);
  Dims wide(x.size(), 1);
  wide[at] = x[at];
  return reshaped(context, operand, wide, "spread");
}

}  // namespace

ScaleOperands read_scale(OpContext& context, const Dims& x, const ScaleAxis& axis, size_t scale,
                         size_t zero_point) {
  ScaleOperands operands;
  ValueId given = context.input(scale);
  const DType type = context.dtype(given);
  if (!has(types::kFloat16s, type) && type != DType::kFloat32) {
    context.fail("scale " + typed_name(context, given, " is ") +
                 ", expected float32 or a 16-bit float");
  }
  given = Steps(context).cast(given, DType::kFloat32);
  if (context.is_constant(given)) check_scales(context, given);
  if (context.has_input(zero_point)) {
    const ValueId zero = context.input(zero_point);
    const bool single = context.value(zero).elements() == 1 && context.value(given).elements() == 1;
    if (!single && context.dims(zero) != context.dims(given)) {
      context.fail("zero point " + count_text(context, zero) + ", the scale " +
                   dims_text(context.dims(given)));
    }
    operands.type = context.type(zero);
    operands.zero_point = spread(context, zero, x, axis);
  }
  operands.scale = spread(context, given, x, axis);
  return operands;
}

void add_dequantize(OpContext& context, ValueId x, const ScaleOperands& operands, ValueId y) {
  std::vector<ValueId> inputs = {x, operands.scale};
  if (operands.zero_point != kNoValue) {
    if (operands.type != context.type(x)) {
      context.fail("zero point " + name_of(context, operands.zero_point) + " is " +
                   type_name(operands.type) + ", but " + typed_name(context, x, " "));
    }
    inputs.push_back(operands.zero_point);
  }
  context.add_node(Op::kDequantize, inputs, {y});
}

void add_quantize(OpContext& context, ValueId x, const ScaleOperands& operands, ValueId y) {
  std::vector<ValueId> inputs = {x, operands.scale};
  if (operands.zero_point != kNoValue) inputs.push_back(operands.zero_point);
  const QuantizeAttributes attributes = {Rounding::kHalfEven};
  if (!operands.type.four_bits) return context.add_node(Op::kQuantize, inputs, {y}, attributes);
  const DType type = context.dtype(y);
  const ValueId wide = context.add_between("integers", type, context.dims(y));
  context.add_node(Op::kQuantize, inputs, {wide}, attributes);
  const auto bound = [&](const char* name, int number) {
    return context.add_constant(name, type, {}, {static_cast<std::byte>(number)});
  };
  const bool is_signed = type == DType::kInt8;
  const ValueId low = bound("low", is_signed ? -8 : 0);
  const ValueId high = bound("high", is_signed ? 7 : 15);
  context.add_node(Op::kClip, {wide, low, high}, {y}, ClipAttributes{});
  context.set_four_bits(y);
}

ValueId dequantized(OpContext& context, const ScaledInput& input, const ScaleAxis& axis) {
  const ValueId x = context.input(input.integers);
  const ScaleOperands operands =
      read_scale(context, context.dims(x), axis, input.scale, input.zero_point);
  const ValueId y = context.add_between("number", DType::kFloat32, context.dims(x));
  add_dequantize(context, x, operands, y);
  return y;
}

void add_quantized_output(OpContext& context, ValueId x, size_t scale, DType otherwise) {
  const Dims dims = context.dims(x);
  ScaleOperands operands = read_scale(context, dims, {}, scale, scale + 1);
  if (operands.zero_point == kNoValue) operands.type = {otherwise, false};
  const ValueId y = context.add_output(0, operands.type.dtype, dims);
  add_quantize(context, x, operands, y);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

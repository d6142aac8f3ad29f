// Checks types, dims and, where they are constant, numbers of scales and zero points.
#include "planner/import/onnx/operators/scales.h"

#include <cmath>

#include "core/contract.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/shapes.h"
#include "portable_fallback/shared/small_float.h"

namespace arenite::planner {
namespace {

std::string name_of(const OpContext& context, ValueId id) { return quote(context.value(id).name); }

std::string typed_name(const OpContext& context, ValueId id, const char* verb) {
  return name_of(context, id) + verb + type_name(context.type(id));
}

std::string count_text(const OpContext& context, ValueId id) {
  return name_of(context, id) + " has dims " + dims_text(context.dims(id));
}

// The elements of a constant scale.
std::vector<float> scales_of(const OpContext& context, ValueId scale) {
  const DType type = context.dtype(scale);
  if (type == DType::kFloat32) return context.elements<float>(scale);
  std::vector<float> scales;
  for (const uint16_t bits : context.elements<uint16_t>(scale)) {
    scales.push_back(type == DType::kFloat16 ? small_to_float<kFloat16Format>(bits)
                                             : small_to_float<kBfloat16Format>(bits));
  }
  return scales;
}

void check_scales(const OpContext& context, ValueId scale) {
  const std::vector<float> scales = scales_of(context, scale);
  for (size_t i = 0; i < scales.size(); ++i) {
    if (!std::isfinite(scales[i]) || scales[i] <= 0.0f) {
      context.fail("scale " + name_of(context, scale) + " holds " + std::to_string(scales[i]) +
                   " at " + std::to_string(i) + ", expected positive finite numbers");
    }
  }
}

// Says in `scaling` how the operand broadcasts to the dims x.
void read_spread(const OpContext& context, ValueId operand, const Dims& x, const ScaleAxis& axis,
                 Scaling& scaling) {
  const Dims dims = context.dims(operand);
  if (axis.block == 0 && dims.size() <= 1 && context.value(operand).elements() == 1) return;
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
  scaling.axis = at;
  scaling.axis_length = x[at];
  scaling.block = axis.block;
  scaling.dims = Dims(x.size(), 1);
  scaling.dims[at] = x[at];
}

}  // namespace

Scaling read_scaling(OpContext& context, const Dims& x, const ScaleAxis& axis, size_t scale,
                     size_t zero_point) {
  Scaling scaling;
  const ValueId given = context.input(scale);
  const DType type = context.dtype(given);
  if (!has(types::kFloat16s, type) && type != DType::kFloat32) {
    context.fail("scale " + typed_name(context, given, " is ") +
                 ", expected float32 or a 16-bit float");
  }
  if (context.is_constant(given)) check_scales(context, given);
  if (context.has_input(zero_point)) {
    const ValueId zero = context.input(zero_point);
    const bool single = context.value(zero).elements() == 1 && context.value(given).elements() == 1;
    if (!single && context.dims(zero) != context.dims(given)) {
      context.fail("zero point " + count_text(context, zero) + ", the scale " +
                   dims_text(context.dims(given)));
    }
    scaling.type = context.type(zero);
    scaling.zero_point = zero;
    read_spread(context, zero, x, axis, scaling);
  }
  scaling.scale = given;
  read_spread(context, given, x, axis, scaling);
  return scaling;
}

Scaling read_output_scaling(OpContext& context, size_t scale, DType otherwise) {
  Scaling scaling = read_scaling(context, {}, {}, scale, scale + 1);
  if (scaling.zero_point == kNoValue) scaling.type = {otherwise, false};
  return scaling;
}

ScaledIntegers read_scaled(OpContext& context, const ScaledInput& input, const ScaleAxis& axis) {
  const ValueId x = context.input(input.integers);
  const Scaling scaling =
      read_scaling(context, context.dims(x), axis, input.scale, input.zero_point);
  if (scaling.zero_point != kNoValue && scaling.type != context.type(x)) {
    context.fail("zero point " + name_of(context, scaling.zero_point) + " is " +
                 type_name(scaling.type) + ", but " + typed_name(context, x, " "));
  }
  return {x, scaling};
}

ValueId read_sums(OpContext& context, size_t i, const Scaling& weights) {
  const ValueId sums = context.input(i);
  if (context.dtype(sums) != DType::kInt32) {
    context.fail("bias is " + dtype_name(context.dtype(sums)) + ", expected int32");
  }
  const Dims dims = context.dims(sums), scales = context.dims(weights.scale);
  if (!weights.dims.empty() && (dims.empty() || dims.back() != scales[0])) {
    context.fail("bias has dims " + dims_text(dims) + ", the weights' scales " + dims_text(scales));
  }
  return sums;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

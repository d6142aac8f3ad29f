// Imports QuantizeLinear and DequantizeLinear: one scale for all elements, one for each index of an
// axis, or one for each block of indices.
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/scales.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

ScaleAxis read_axis(OpContext& context) {
  ScaleAxis axis;
  if (context.node().domain.empty() && context.opset() < 13) return axis;
  axis.axis = context.int_attribute("axis", 1);
  if (context.node().domain.empty() && context.opset() < 21) return axis;
  axis.block = context.int_attribute("block_size", 0);
  if (axis.block < 0) context.fail_attribute("block_size", "is below 0");
  return axis;
}

// The type of attribute output_dtype; kNone if it is left out or 0.
OnnxType output_type(OpContext& context, int64_t since) {
  if (context.opset() < since) return {};
  const int64_t number = context.int_attribute("output_dtype", 0);
  if (number == 0) return {};
  try {
    return type_from_onnx(number);
  } catch (const UnsupportedError& error) {
    context.unsupported_attribute("output_dtype", error.what(), error.instead);
  }
}

}  // namespace

void import_quantize_linear(OpContext& context) {
  context.expect_operands(2, 3);
  // Says what happens to numbers beyond 8-bit floats, which are refused.
  if (context.opset() >= 19) context.ignore_attribute("saturate");
  const Dims dims = context.dims(context.input(0));
  ScaleOperands operands = read_scale(context, dims, read_axis(context), 1, 2);
  const OnnxType said = output_type(context, 21);
  if (context.opset() >= 23) context.ignore_attribute("precision");
  if (operands.zero_point == kNoValue) {
    operands.type = said == OnnxType() ? OnnxType{DType::kUint8, false} : said;
  }
  if (said != OnnxType() && said != operands.type) {
    context.fail_attribute(
        "output_dtype", "is " + type_name(said) + ", the zero point " + type_name(operands.type));
  }
  const ValueId x = Steps(context).cast(context.input(0), DType::kFloat32);
  const ValueId y = context.add_output(0, operands.type.dtype, dims);
  add_quantize(context, x, operands, y);
}

void import_dequantize_linear(OpContext& context) {
  context.expect_operands(2, 3);
  const ValueId x = context.input(0);
  const DType scale = context.dtype(context.input(1));
  const ScaleOperands operands = read_scale(context, context.dims(x), read_axis(context), 1, 2);
  const OnnxType said = output_type(context, 23);
  if (said.four_bits) {
    context.fail_attribute("output_dtype", "is " + type_name(said) + ", expected floats");
  }
  const DType type = said == OnnxType() ? scale : said.dtype;
  const Dims dims = context.dims(x);
  if (type == DType::kFloat32) {
    return add_dequantize(context, x, operands, context.add_output(0, type, dims));
  }
  const ValueId wide = context.add_between("float32", DType::kFloat32, dims);
  add_dequantize(context, x, operands, wide);
  context.add_node(Op::kCast, {wide}, {context.add_output(0, type, dims)});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

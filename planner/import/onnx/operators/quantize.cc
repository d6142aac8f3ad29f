// Imports QuantizeLinear and DequantizeLinear: one scale for all elements, one for each index of an
// axis, or one for each block of indices.
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/scaled_numbers.h"

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
  const ValueId x = context.input(0);
  Scaling scaling = read_scaling(context, context.dims(x), read_axis(context), 1, 2);
  const OnnxType said = output_type(context, 21);
  if (context.opset() >= 23) context.ignore_attribute("precision");
  if (scaling.zero_point == kNoValue) {
    scaling.type = said == OnnxType() ? OnnxType{DType::kUint8, false} : said;
  }
  if (said != OnnxType() && said != scaling.type) {
    context.fail_attribute("output_dtype",
                           "is " + type_name(said) + ", the zero point " + type_name(scaling.type));
  }
  quantize_to_output(context, x, scaling);
}

void import_dequantize_linear(OpContext& context) {
  context.expect_operands(2, 3);
  const ScaledIntegers x = read_scaled(context, {0, 1, 2}, read_axis(context));
  const OnnxType said = output_type(context, 23);
  if (said.four_bits) {
    context.fail_attribute("output_dtype", "is " + type_name(said) + ", expected floats");
  }
  dequantize_to_output(context, x,
                       said == OnnxType() ? context.dtype(x.scaling.scale) : said.dtype);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

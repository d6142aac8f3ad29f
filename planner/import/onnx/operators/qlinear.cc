// Imports QLinearConv, QLinearMatMul and com.microsoft's QLinear*: what the integers stand for goes
// into the operator of floats, and its result is quantized. Passes make integer operators of that.
#include <algorithm>
#include <numeric>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/scales.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

// Operand i, whose scale and zero point are those behind it, as numbers.
ValueId number(OpContext& context, size_t i, const ScaleAxis& axis = {}) {
  return dequantized(context, {i, i + 1, i + 2}, axis);
}

// Moves the channels from last to second, or back.
ValueId turned(OpContext& context, ValueId x, bool back) {
  std::vector<uint32_t> order(context.dims(x).size());
  std::iota(order.begin(), order.end(), 0u);
  if (order.size() < 3) context.fail("expected channels and spatial dims");
  if (back) {
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  } else {
    std::rotate(order.begin() + 1, order.end() - 1, order.end());
  }
  return Steps(context).transpose(x, order);
}

// The numbers of int32 sums of products of integers of these scales, times alpha, 0 being 0.
ValueId bias_number(OpContext& context, size_t i, size_t x_scale, size_t w_scale, float alpha = 1) {
  const ValueId bias = context.input(i);
  if (context.dtype(bias) != DType::kInt32) {
    context.fail("bias is " + dtype_name(context.dtype(bias)) + ", expected int32");
  }
  Steps steps(context);
  const auto flat = [&](size_t scale) {
    const ValueId id = context.input(scale);
    return context.value(id).elements() == 1 ? steps.reshape(id, {}) : id;
  };
  ValueId scale = steps.binary(Op::kMul, flat(x_scale), flat(w_scale));
  if (alpha != 1) scale = steps.binary(Op::kMul, scale, steps.scalar(DType::kFloat32, alpha));
  const Dims dims = context.dims(bias), scales = context.dims(scale);
  if (!scales.empty() && (dims.empty() || dims.back() != scales[0])) {
    context.fail("bias has dims " + dims_text(dims) + ", the weights' scales " + dims_text(scales));
  }
  const ValueId y = context.add_between("bias", DType::kFloat32, context.dims(bias));
  add_dequantize(context, bias, {scale, kNoValue}, y);
  return y;
}

}  // namespace

void import_qlinear_conv(OpContext& context) {
  context.expect_operands(8, 9);
  std::vector<ValueId> inputs = {number(context, 0), number(context, 3, {0})};
  if (context.has_input(8)) inputs.push_back(bias_number(context, 8, 1, 4));
  const ValueId y = context.imported("Conv", import_conv, inputs);
  add_quantized_output(context, y, 6, context.dtype(context.input(0)));
}

void import_qlinear_matmul(OpContext& context) {
  context.expect_operands(8, 8);
  const auto rank = [&](size_t i) {
    return static_cast<int64_t>(context.dims(context.input(i)).size());
  };
  const ValueId a = number(context, 0, {std::max<int64_t>(rank(0) - 2, 0)});
  const ValueId b = number(context, 3, {std::max<int64_t>(rank(3) - 1, 0)});
  add_quantized_output(context, context.imported("MatMul", import_matmul, {a, b}), 6,
                       context.dtype(context.input(0)));
}

void import_qlinear_binary(OpContext& context, Op op) {
  context.expect_operands(7, 8);
  const ValueId y = Steps(context).binary(op, number(context, 0), number(context, 3));
  add_quantized_output(context, y, 6, context.dtype(context.input(0)));
}

void import_qlinear_unary(OpContext& context, Op op, const Parameter& alpha) {
  context.expect_operands(4, 5);
  UnaryAttributes attributes{};
  if (alpha.name != nullptr) {
    attributes.alpha = context.float_attribute(alpha.name, alpha.otherwise);
  }
  add_quantized_output(context, Steps(context).unary(op, number(context, 0), attributes), 3,
                       context.dtype(context.input(0)));
}

void import_qlinear_concat(OpContext& context) {
  const size_t count = context.input_count();
  if (count < 5 || (count - 2) % 3 != 0) {
    context.fail("has " + std::to_string(count) + " inputs, expected 2 and 3 for each part");
  }
  context.expect_operands(4, count);
  std::vector<ValueId> parts;
  for (size_t i = 2; i < count; i += 3) parts.push_back(number(context, i));
  add_quantized_output(context, context.imported("Concat", import_concat, parts), 0,
                       context.dtype(context.input(2)));
}

void import_qlinear_softmax(OpContext& context) {
  context.expect_operands(4, 5);
  const ValueId x = number(context, 0);
  const auto rank = static_cast<uint32_t>(context.dims(x).size());
  const bool one_axis = context.int_attribute("opset", context.opset()) >= 13;
  const uint32_t axis = context.axis(context.int_attribute("axis", -1), rank, "axis");
  uint32_t axes = 1u << axis;
  for (uint32_t i = axis; !one_axis && i < rank; ++i) axes |= 1u << i;
  add_quantized_output(context, Steps(context).softmax(x, axes), 3,
                       context.dtype(context.input(0)));
}

void import_qlinear_pool(OpContext& context, bool global) {
  context.expect_operands(4, 5);
  const bool last = context.flag_attribute("channels_last", false);
  ValueId x = number(context, 0);
  if (last) x = turned(context, x, false);
  x = global ? context.imported("GlobalAveragePool",
                                [](OpContext& pool) { import_global_pool(pool, Op::kReduceMean); },
                                {x}, {"channels_last"})
             : context.imported("AveragePool", import_average_pool, {x}, {"channels_last"});
  if (last) x = turned(context, x, true);
  add_quantized_output(context, x, 3, context.dtype(context.input(0)));
}

void import_qlinear_reduce_mean(OpContext& context) {
  context.expect_operands(4, 5);
  const ValueId x = number(context, 0);
  const Dims dims = context.dims(x);
  std::vector<uint32_t> axes;
  if (const auto given = context.ints_attribute("axes")) {
    axes = context.axes(*given, dims.size(), "axes");
  }
  if (axes.empty()) {
    for (uint32_t i = 0; i < dims.size(); ++i) axes.push_back(i);
  }
  const bool keep = context.flag_attribute("keepdims", true);
  Steps steps(context);
  ValueId y = steps.reduce(Op::kReduceMean, x, axes);
  Dims left;
  for (uint32_t i = 0; i < dims.size(); ++i) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) left.push_back(dims[i]);
  }
  if (!keep) y = steps.reshape(y, left);
  add_quantized_output(context, y, 3, context.dtype(context.input(0)));
}

void import_qlinear_where(OpContext& context) {
  context.expect_operands(8, 9);
  const ValueId y = Steps(context).where(context.input(0), number(context, 1), number(context, 4));
  add_quantized_output(context, y, 7, context.dtype(context.input(1)));
}

// QGemm of com.microsoft: A, B, and a sum of 32 bits. Without a scale of the result it stays a
// float.
void import_qgemm(OpContext& context) {
  context.expect_operands(6, 9);
  const int64_t axis = context.int_attribute("transB", 0) != 0 ? 0 : 1;
  const float alpha = context.float_attribute("alpha", 1.0f);
  std::vector<ValueId> inputs = {number(context, 0), number(context, 3, {axis})};
  if (context.has_input(6)) inputs.push_back(bias_number(context, 6, 1, 4, alpha));
  const ValueId y = context.imported("Gemm", import_gemm, inputs);
  if (!context.has_input(7)) return copy_to_output(context, 0, y);
  add_quantized_output(context, y, 7, context.dtype(context.input(0)));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

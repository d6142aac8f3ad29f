// Imports QLinearConv, QLinearMatMul and com.microsoft's QLinear*: each reads its scales first,
// then puts the numbers that the integers stand for into the operator of floats, and quantizes its
// result. Passes make integer operators of that.
#include <algorithm>
#include <numeric>
#include <optional>

#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/scaled_numbers.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

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

}  // namespace

void import_qlinear_conv(OpContext& context) {
  context.expect_operands(8, 9);
  const ScaledIntegers x = read_scaled(context, {0, 1, 2}),
                       w = read_scaled(context, {3, 4, 5}, {0});
  const ValueId sums = context.has_input(8) ? read_sums(context, 8, w.scaling) : kNoValue;
  const Scaling output = read_output_scaling(context, 6, context.dtype(x.integers));
  std::vector<ValueId> inputs = {dequantized(context, x), dequantized(context, w)};
  if (sums != kNoValue) inputs.push_back(dequantized_sums(context, sums, {x.scaling, w.scaling}));
  quantize_to_output(context, context.imported("Conv", import_conv, inputs), output);
}

void import_qlinear_matmul(OpContext& context) {
  context.expect_operands(8, 8);
  const auto rank = [&](size_t i) {
    return static_cast<int64_t>(context.dims(context.input(i)).size());
  };
  const ScaledIntegers a = read_scaled(context, {0, 1, 2}, {std::max<int64_t>(rank(0) - 2, 0)});
  const ScaledIntegers b = read_scaled(context, {3, 4, 5}, {std::max<int64_t>(rank(3) - 1, 0)});
  const Scaling output = read_output_scaling(context, 6, context.dtype(a.integers));
  const std::vector<ValueId> inputs = {dequantized(context, a), dequantized(context, b)};
  quantize_to_output(context, context.imported("MatMul", import_matmul, inputs), output);
}

void import_qlinear_binary(OpContext& context, Op op) {
  context.expect_operands(7, 8);
  const ScaledIntegers a = read_scaled(context, {0, 1, 2}), b = read_scaled(context, {3, 4, 5});
  const Scaling output = read_output_scaling(context, 6, context.dtype(a.integers));
  const ValueId left = dequantized(context, a), right = dequantized(context, b);
  quantize_to_output(context, Steps(context).binary(op, left, right), output);
}

void import_qlinear_unary(OpContext& context, Op op, const Parameter& alpha) {
  context.expect_operands(4, 5);
  UnaryAttributes attributes{};
  if (alpha.name != nullptr) {
    attributes.alpha = context.float_attribute(alpha.name, alpha.otherwise);
  }
  const ScaledIntegers x = read_scaled(context, {0, 1, 2});
  const Scaling output = read_output_scaling(context, 3, context.dtype(x.integers));
  quantize_to_output(context, Steps(context).unary(op, dequantized(context, x), attributes),
                     output);
}

void import_qlinear_concat(OpContext& context) {
  const size_t count = context.input_count();
  if (count < 5 || (count - 2) % 3 != 0) {
    context.fail("has " + std::to_string(count) + " inputs, expected 2 and 3 for each part");
  }
  context.expect_operands(4, count);
  std::vector<ScaledIntegers> parts;
  for (size_t i = 2; i < count; i += 3) parts.push_back(read_scaled(context, {i, i + 1, i + 2}));
  const Scaling output = read_output_scaling(context, 0, context.dtype(parts[0].integers));
  std::vector<ValueId> numbers;
  for (const ScaledIntegers& part : parts) numbers.push_back(dequantized(context, part));
  quantize_to_output(context, context.imported("Concat", import_concat, numbers), output);
}

void import_qlinear_softmax(OpContext& context) {
  context.expect_operands(4, 5);
  const ScaledIntegers x = read_scaled(context, {0, 1, 2});
  const Scaling output = read_output_scaling(context, 3, context.dtype(x.integers));
  const auto rank = static_cast<uint32_t>(context.dims(x.integers).size());
  const bool one_axis = context.int_attribute("opset", context.opset()) >= 13;
  const uint32_t axis = context.axis(context.int_attribute("axis", -1), rank, "axis");
  uint32_t axes = 1u << axis;
  for (uint32_t i = axis; !one_axis && i < rank; ++i) axes |= 1u << i;
  quantize_to_output(context, Steps(context).softmax(dequantized(context, x), axes), output);
}

void import_qlinear_pool(OpContext& context, bool global) {
  context.expect_operands(4, 5);
  const bool last = context.flag_attribute("channels_last", false);
  const ScaledIntegers integers = read_scaled(context, {0, 1, 2});
  const Scaling output = read_output_scaling(context, 3, context.dtype(integers.integers));
  ValueId x = dequantized(context, integers);
  if (last) x = turned(context, x, false);
  x = global ? context.imported("GlobalAveragePool",
                                [](OpContext& pool) { import_global_pool(pool, Op::kReduceMean); },
                                {x}, {"channels_last"})
             : context.imported("AveragePool", import_average_pool, {x}, {"channels_last"});
  if (last) x = turned(context, x, true);
  quantize_to_output(context, x, output);
}

void import_qlinear_reduce_mean(OpContext& context) {
  context.expect_operands(4, 5);
  const ScaledIntegers x = read_scaled(context, {0, 1, 2});
  const Scaling output = read_output_scaling(context, 3, context.dtype(x.integers));
  const Dims dims = context.dims(x.integers);
  std::vector<uint32_t> axes;
  if (const auto given = context.ints_attribute("axes")) {
    axes = context.axes(*given, dims.size(), "axes");
  }
  if (axes.empty()) {
    for (uint32_t i = 0; i < dims.size(); ++i) axes.push_back(i);
  }
  const bool keep = context.flag_attribute("keepdims", true);
  Steps steps(context);
  ValueId y = steps.reduce(Op::kReduceMean, dequantized(context, x), axes);
  Dims left;
  for (uint32_t i = 0; i < dims.size(); ++i) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) left.push_back(dims[i]);
  }
  if (!keep) y = steps.reshape(y, left);
  quantize_to_output(context, y, output);
}

void import_qlinear_where(OpContext& context) {
  context.expect_operands(8, 9);
  const ScaledIntegers x = read_scaled(context, {1, 2, 3}), y = read_scaled(context, {4, 5, 6});
  const Scaling output = read_output_scaling(context, 7, context.dtype(x.integers));
  const ValueId a = dequantized(context, x), b = dequantized(context, y);
  quantize_to_output(context, Steps(context).where(context.input(0), a, b), output);
}

// QGemm of com.microsoft: A, B, and a sum of 32 bits. Without a scale of the result it stays a
// float.
void import_qgemm(OpContext& context) {
  context.expect_operands(6, 9);
  const int64_t axis = context.int_attribute("transB", 0) != 0 ? 0 : 1;
  const float alpha = context.float_attribute("alpha", 1.0f);
  const ScaledIntegers a = read_scaled(context, {0, 1, 2}),
                       b = read_scaled(context, {3, 4, 5}, {axis});
  const ValueId sums = context.has_input(6) ? read_sums(context, 6, b.scaling) : kNoValue;
  std::optional<Scaling> output;
  if (context.has_input(7)) {
    output = read_output_scaling(context, 7, context.dtype(a.integers));
  }
  std::vector<ValueId> inputs = {dequantized(context, a), dequantized(context, b)};
  if (sums != kNoValue) {
    inputs.push_back(dequantized_sums(context, sums, {a.scaling, b.scaling, alpha}));
  }
  const ValueId y = context.imported("Gemm", import_gemm, inputs);
  if (!output) return copy_to_output(context, 0, y);
  quantize_to_output(context, y, *output);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

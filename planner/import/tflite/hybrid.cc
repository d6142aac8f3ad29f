// Imports TensorFlow Lite's products of float activations with integer weights as its kernels
// compute them: activations are quantized at run time, integers multiplied, and their sums scaled.
#include "planner/import/tflite/hybrid.h"

#include <algorithm>

namespace arenite::planner::tflite {
namespace {

// Float activations made integers. Scale and zero point are given for each row or image, with the
// activations' rank; zero_point is kNoValue where it is 0.
struct Quantized {
  ValueId integers, scale, zero_point;
};

// `axes`: bits of the dims that share a scale.
Quantized quantized_at_run_time(Context& context, ValueId x, uint32_t axes, bool asymmetric) {
  Dims dims = context.dims(x);
  const Dims whole = dims;
  for (size_t d = 0; d < dims.size(); ++d) {
    if ((axes >> d & 1u) != 0) dims[d] = 1;
  }
  const DynamicQuantizeAttributes attributes = {
      axes, asymmetric ? DynamicRange::kTfliteAsymmetric : DynamicRange::kTfliteSymmetric};
  std::vector<Context::Result> results = {{DType::kInt8, whole}, {DType::kFloat32, dims}};
  if (asymmetric) results.push_back({DType::kInt8, dims});
  const std::vector<ValueId> made = context.add_own(Op::kDynamicQuantize, {x}, results, attributes);
  return {made[0], made[1], asymmetric ? made[2] : kNoValue};
}

// Sums with one scale for each row of theirs and one for each of `axis`, as numbers.
ValueId as_numbers(Context& context, ValueId sums, ValueId scale) {
  return context.add_own(Op::kDequantize, {sums, scale},
                         {{DType::kFloat32, context.dims(sums)}})[0];
}

}  // namespace

bool is_hybrid(const Context& context, size_t x, size_t weights) {
  const Tensor& tensor = context.tensor(weights);
  if (context.tensor(x).dtype != DType::kFloat32 || tensor.dtype != DType::kInt8) return false;
  if (!tensor.quantization || !tensor.constant) return false;
  const std::vector<int32_t>& zeros = tensor.quantization->zero_points;
  return std::all_of(zeros.begin(), zeros.end(), [](int32_t zero) { return zero == 0; });
}

// Each image has a scale, and a zero point where it is the only one: an operand says that of all.
ValueId hybrid_conv(Context& context, ValueId given, ValueId weights, Attributes attributes) {
  const std::vector<float>& of_weights = context.tensor(1).quantization->scales;
  const Quantized x =
      quantized_at_run_time(context, given, 0xe, asked(context.dims(given)[0] == 1));
  std::vector<ValueId> inputs = {context.transposed(x.integers, {0, 3, 1, 2}), weights};
  if (x.zero_point != kNoValue) inputs.push_back(context.reshaped(x.zero_point, {}));
  const ValueId sums = context.add("ConvInteger", inputs, std::move(attributes));
  const ValueId scales = context.constant(
      DType::kFloat32, {static_cast<int64_t>(of_weights.size()), 1, 1}, of_weights);
  ValueId y = kNoValue;
  if (of_weights.size() > 1) {
    y = context.add("Mul", {as_numbers(context, sums, scales), x.scale});
  } else {
    y = as_numbers(context, sums, context.add("Mul", {x.scale, scales}));
  }
  if (!context.has_input(2)) return y;
  const Dim outputs = context.dims(weights)[0];
  return context.add("Add", {y, context.reshaped(context.input(2), {outputs, 1, 1})});
}

ValueId hybrid_matmul(Context& context, ValueId x, ValueId weights) {
  const std::vector<float>& scales = context.tensor(1).quantization->scales;
  const Quantized rows = quantized_at_run_time(context, x, 2, true);
  const ValueId sums = context.add("MatMulInteger", {rows.integers, weights, rows.zero_point});
  const ValueId of_weights =
      context.constant(DType::kFloat32, {static_cast<int64_t>(scales.size())}, scales);
  const ValueId y = as_numbers(context, sums, context.add("Mul", {rows.scale, of_weights}));
  return context.has_input(2) ? context.add("Add", {y, context.input(2)}) : y;
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0

// Numbers and the integers that stand for them: what a TensorFlow Lite operator's importer reads of
// quantized tensors, and what it makes of results.
#include <algorithm>

#include "core/contract.h"
#include "planner/fixed_point/tables.h"
#include "planner/graph/names.h"
#include "planner/import/tflite/context.h"

namespace arenite::planner::tflite {
namespace {

// The converter calls a tensor after every node that it merged, "a;b;c": for messages the first.
std::string brief_name(const std::string& name) {
  const size_t end = name.find(';');
  return quote(name.substr(0, end)) + (end == std::string::npos ? "" : " (and other names)");
}

template <typename T>
std::vector<std::byte> narrowed(const std::vector<int32_t>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(T));
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto narrow = static_cast<T>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &narrow, sizeof(T));
  }
  return bytes;
}

std::vector<std::byte> bytes_of(const std::vector<int32_t>& numbers, DType dtype) {
  if (element_bytes(dtype) == 1) return narrowed<int8_t>(numbers);
  if (element_bytes(dtype) == 2) return narrowed<int16_t>(numbers);
  return narrowed<int32_t>(numbers);
}

// Returns the scales of the sums of products, `dtype`: one, or one for each output.
Quantization scales_of_sums(DType dtype, const Scaled& x, const Quantization& weights) {
  Quantization sums = {dtype, weights.scales, std::vector<int32_t>(weights.scales.size(), 0)};
  for (float& scale : sums.scales) scale *= x.scale;
  if (weights.axis) sums.axis = 0;
  return sums;
}

}  // namespace

// The scale and the zero point as constants that are repeated over a value of that rank; without
// the latter where it is 0.
std::vector<ValueId> Context::scale_operands(int64_t rank, const Quantization& quantization) {
  Dims dims;
  if (quantization.axis) {
    dims.assign(static_cast<size_t>(rank) - *quantization.axis, 1);
    dims[0] = static_cast<int64_t>(quantization.scales.size());
  }
  std::vector<ValueId> operands = {constant(DType::kFloat32, dims, quantization.scales)};
  const std::vector<int32_t>& zeros = quantization.zero_points;
  if (std::any_of(zeros.begin(), zeros.end(), [](int32_t zero) { return zero != 0; })) {
    operands.push_back(constant(quantization.dtype, dims, bytes_of(zeros, quantization.dtype)));
  }
  return operands;
}

ValueId Context::dequantized(ValueId integers, const Quantization& quantization) {
  if (!has(types::kQuantizedOrSum, dtype(integers))) {
    unsupported("operand " + brief_name(value(integers).name) + " is " +
                dtype_name(dtype(integers)) +
                " with a scale: numbers are read of int8, uint8, int16 and int32");
  }
  std::vector<ValueId> inputs = scale_operands(rank(integers), quantization);
  inputs.insert(inputs.begin(), integers);
  const ValueId numbers = add_own(Op::kDequantize, inputs, {{DType::kFloat32, dims(integers)}})[0];
  importing_.dequantized.emplace(numbers, Dequantized{integers, quantization});
  return numbers;
}

ValueId Context::quantized(ValueId numbers, const Quantization& quantization) {
  std::vector<ValueId> inputs = scale_operands(rank(numbers), quantization);
  inputs.insert(inputs.begin(), numbers);
  const QuantizeAttributes attributes = {Rounding::kTfliteDouble};
  return add_own(Op::kQuantize, inputs, {{quantization.dtype, dims(numbers)}}, attributes)[0];
}

bool Context::alike(const Tensor& a, const Tensor& b) {
  const std::optional<Scaled> scale = one_scale(a);
  return scale && scale == one_scale(b);
}

ValueId Context::stored_as_output(size_t i) {
  const Tensor& output = output_tensor(0);
  if (!tensor(i).quantization || !output.quantization || alike(tensor(i), output)) return stored(i);
  const std::optional<Scaled> from = one_scale(tensor(i)), to = one_scale(output);
  if (from && to && from->dtype == DType::kUint8 && to->dtype == DType::kUint8) {
    const Table table = moved_table(*from, *to);
    const std::vector<int32_t> entries(table.begin(), table.end());
    const auto count = static_cast<int64_t>(entries.size());
    const ValueId places = constant(DType::kUint8, {count}, bytes_of(entries, DType::kUint8));
    const ValueId integers = stored(i);
    return add_own(Op::kLookup, {integers, places}, {{DType::kUint8, dims(integers)}})[0];
  }
  return quantized(input(i), *output.quantization);
}

ValueId Context::requantized(size_t i, const Tensor& y) {
  const ValueId x = stored(i);
  const std::optional<Scaled> from = one_scale(tensor(i)), to = one_scale(y);
  if (!from || !to) unsupported("scales a channel are not quantized anew");
  const RequantizeAttributes attributes =
      requantize_attributes({.y = *to, .rounding = Rounding::kTfliteDouble}, *from);
  return add_own(Op::kRequantize, {x}, {{y.dtype, dims(x)}}, attributes)[0];
}

ValueId Context::integer_of(DType dtype, int32_t number) {
  return constant(dtype, {}, bytes_of({number}, dtype));
}

ValueId Context::bias(size_t i, const Product& of) {
  if (!has_input(i)) return kNoValue;
  const Tensor& tensor = this->tensor(i);
  const bool wide = tensor.dtype == DType::kInt64;
  if (!wide && tensor.dtype != DType::kInt32) return input(i);
  const std::string where = "bias, " + describe(tensor) + ", ";
  const std::optional<Scaled> x = one_scale(this->tensor(of.x));
  const std::optional<Quantization>& weights = this->tensor(of.weights).quantization;
  if (!x || !weights) {
    fail(where + "is " + dtype_name(tensor.dtype) + ", but input and weights have no scales");
  }
  const ValueId integers = stored(i);
  const size_t count = weights->scales.size();
  if (count > 1 && dims(integers) != Dims{static_cast<int64_t>(count)}) {
    fail(where + "has dims " + dims_text(dims(integers)) + ", expected one for each of " +
         std::to_string(count) + " scales of the weights");
  }
  const Quantization sums = scales_of_sums(tensor.dtype, *x, *weights);
  const bool is_constant = value(integers).constant != nullptr;
  if (!wide) {
    const ValueId numbers = dequantized(integers, sums);
    if (is_constant) {
      importing_.state.builder.set_stored_bias(numbers, {widened(value(integers)), sums});
    }
    return numbers;
  }
  if (!is_constant) unsupported(where + "is int64 and computed at run time");
  const std::vector<int64_t> stored = widened(value(integers));
  std::vector<float> numbers;
  for (size_t k = 0; k < stored.size(); ++k) {
    constexpr int64_t kEnd = int64_t{1} << 62;
    if (stored[k] < -kEnd || stored[k] >= kEnd) {
      unsupported(where + "has numbers of more than 62 bits");
    }
    const double scale = sums.at(k).scale;
    numbers.push_back(static_cast<float>(static_cast<double>(stored[k]) * scale));
  }
  const ValueId bias = constant(DType::kFloat32, dims(integers), numbers);
  importing_.state.builder.set_stored_bias(bias, {stored, sums});
  return bias;
}

// Kernels of int16 without a bias have sums of 32 bits.
ValueId Context::bias_or_zeros(size_t i, const Product& of, const Dim& outputs) {
  if (has_input(i) || tensor(of.x).dtype != DType::kInt16) return bias(i, of);
  const std::optional<Scaled> x = one_scale(tensor(of.x));
  const std::optional<Quantization>& weights = tensor(of.weights).quantization;
  if (!x || !weights) return kNoValue;
  const auto count = static_cast<size_t>(baked(outputs, "a constant bias"));
  const std::vector<int64_t> zeros(count, 0);
  const ValueId bias =
      constant(DType::kFloat32, {count}, std::vector<float>(zeros.begin(), zeros.end()));
  importing_.state.builder.set_stored_bias(bias,
                                           {zeros, scales_of_sums(DType::kInt32, *x, *weights)});
  return bias;
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0

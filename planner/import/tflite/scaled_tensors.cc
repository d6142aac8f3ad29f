// Numbers and the integers that stand for them: what a TensorFlow Lite operator's importer reads of
// quantised tensors, and what it makes of results.
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

// Returns the scales of the sums of products: one, or one for each output.
Quantisation scales_of_sums(const Quantisation& x, const Quantisation& weights) {
  Quantisation sums;
  sums.zero_points.assign(weights.scales.size(), 0);
  for (const float scale : weights.scales) sums.scales.push_back(x.scales[0] * scale);
  return sums;
}

}  // namespace

// The scale and the zero point as constants that are repeated over a value of that rank; without
// the latter where it is 0.
std::vector<ValueId> Context::scale_operands(DType dtype, int64_t rank,
                                             const Quantisation& quantisation) {
  std::vector<int64_t> dims;
  if (quantisation.scales.size() > 1) {
    dims.assign(static_cast<size_t>(rank) - quantisation.axis, 1);
    dims[0] = static_cast<int64_t>(quantisation.scales.size());
  }
  std::vector<ValueId> operands = {constant(DType::kFloat32, dims, quantisation.scales)};
  const std::vector<int32_t>& zeros = quantisation.zero_points;
  if (std::any_of(zeros.begin(), zeros.end(), [](int32_t zero) { return zero != 0; })) {
    operands.push_back(constant(dtype, dims, bytes_of(zeros, dtype)));
  }
  return operands;
}

ValueId Context::dequantised(ValueId integers, const Quantisation& quantisation) {
  if (!has(types::kQuantisedOrSum, dtype(integers))) {
    unsupported("operand " + brief_name(value(integers).name) + " is " +
                dtype_name(dtype(integers)) +
                " with a scale: numbers are read of int8, uint8, int16 and int32");
  }
  std::vector<ValueId> inputs = scale_operands(dtype(integers), rank(integers), quantisation);
  inputs.insert(inputs.begin(), integers);
  const ValueId numbers = add_own(Op::kDequantize, inputs, {{DType::kFloat32, dims(integers)}})[0];
  importing_.dequantised.emplace(numbers, Dequantised{integers, quantisation});
  return numbers;
}

ValueId Context::quantised(ValueId numbers, DType dtype, const Quantisation& quantisation) {
  std::vector<ValueId> inputs = scale_operands(dtype, rank(numbers), quantisation);
  inputs.insert(inputs.begin(), numbers);
  const QuantizeAttributes attributes = {Rounding::kTfliteDouble};
  return add_own(Op::kQuantize, inputs, {{dtype, dims(numbers)}}, attributes)[0];
}

bool Context::alike(const Tensor& a, const Tensor& b) {
  if (a.dtype != b.dtype || !a.quantisation || !b.quantisation) return false;
  return a.quantisation->scales == b.quantisation->scales && a.quantisation->scales.size() == 1 &&
         a.quantisation->zero_points == b.quantisation->zero_points;
}

ValueId Context::stored_as_output(size_t i) {
  const Tensor& output = output_tensor(0);
  if (!tensor(i).quantisation || !output.quantisation || alike(tensor(i), output)) return stored(i);
  const Quantisation& from = *tensor(i).quantisation;
  const Quantisation& to = *output.quantisation;
  const bool litert = tensor(i).dtype == DType::kUint8 && output.dtype == DType::kUint8;
  if (litert && from.scales.size() == 1 && to.scales.size() == 1) {
    const Scaled x = {DType::kUint8, from.scales[0], from.zero_points[0]};
    const Table table = moved_table(x, {DType::kUint8, to.scales[0], to.zero_points[0]});
    const std::vector<int32_t> entries(table.begin(), table.end());
    const auto count = static_cast<int64_t>(entries.size());
    const ValueId places = constant(DType::kUint8, {count}, bytes_of(entries, DType::kUint8));
    const ValueId integers = stored(i);
    return add_own(Op::kLookup, {integers, places}, {{DType::kUint8, dims(integers)}})[0];
  }
  return quantised(input(i), output.dtype, *output.quantisation);
}

ValueId Context::requantised(size_t i, const Tensor& y) {
  const ValueId x = stored(i);
  const Quantisation& from = *tensor(i).quantisation;
  const Quantisation& to = *y.quantisation;
  if (from.scales.size() != 1 || to.scales.size() != 1) {
    unsupported("scales a channel are not quantised anew");
  }
  const Scaled y_scaled = {y.dtype, to.scales[0], to.zero_points[0]};
  const RequantizeAttributes attributes =
      requantize_attributes({dtype(x), from.scales[0], from.zero_points[0]}, y_scaled.scale,
                            requantisation(y_scaled, range_of(y.dtype)));
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
  const std::optional<Quantisation>& x = this->tensor(of.x).quantisation;
  const std::optional<Quantisation>& weights = this->tensor(of.weights).quantisation;
  if (!x || !weights || x->scales.size() != 1) {
    fail(where + "is " + dtype_name(tensor.dtype) + ", but input and weights have no scales");
  }
  const ValueId integers = stored(i);
  const size_t count = weights->scales.size();
  if (count > 1 && dims(integers) != std::vector<int64_t>{static_cast<int64_t>(count)}) {
    fail(where + "has dims " + dims_text(dims(integers)) + ", expected one for each of " +
         std::to_string(count) + " scales of the weights");
  }
  const Quantisation sums = scales_of_sums(*x, *weights);
  const bool is_constant = value(integers).constant != nullptr;
  if (!wide) {
    const ValueId numbers = dequantised(integers, sums);
    if (is_constant)
      importing_.state.builder.set_stored_bias(numbers,
                                               {widened(value(integers)), sums.scales, true});
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
    const double scale = sums.scales[count == 1 ? 0 : k];
    numbers.push_back(static_cast<float>(static_cast<double>(stored[k]) * scale));
  }
  const ValueId bias = constant(DType::kFloat32, dims(integers), numbers);
  importing_.state.builder.set_stored_bias(bias, {stored, sums.scales, false});
  return bias;
}

// Kernels of int16 without a bias have sums of 32 bits.
ValueId Context::bias_or_zeros(size_t i, const Product& of, int64_t outputs) {
  if (has_input(i) || tensor(of.x).dtype != DType::kInt16) return bias(i, of);
  const std::optional<Quantisation>& x = tensor(of.x).quantisation;
  const std::optional<Quantisation>& weights = tensor(of.weights).quantisation;
  if (!x || !weights || x->scales.size() != 1) return kNoValue;
  const std::vector<float> zeros(static_cast<size_t>(outputs), 0.0f);
  const ValueId bias = constant(DType::kFloat32, {outputs}, zeros);
  importing_.state.builder.set_stored_bias(
      bias, {std::vector<int64_t>(zeros.size(), 0), scales_of_sums(*x, *weights).scales, true});
  return bias;
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0

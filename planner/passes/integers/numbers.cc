// Chooses between TensorFlow Lite's numbers and ONNX's.
#include "planner/passes/integers/numbers.h"

#include <algorithm>
#include <map>

#include "planner/fixed_point/tables.h"
#include "planner/passes/integers/scale.h"

namespace arenite::planner::quantise {

Limits limits_of(const Wanted& wanted) {
  return planner::limits_of(wanted.y, wanted.low, wanted.high, wanted.rounding);
}

Requantisation requantisation(const Wanted& wanted) {
  const Limits limits = limits_of(wanted);
  if (wanted.is_tflite()) return tflite::requantisation(wanted.y, limits);
  return {Rounding::kHalfEven, wanted.y.zero_point, limits.low, limits.high};
}

Multiplier product_multiplier(const Wanted& wanted, float x, float weights, bool is_matrix) {
  if (wanted.is_litert()) return tflite::float_multiplier(x, weights, wanted.y.scale);
  // TensorFlow Lite multiplies the scales of matrices in single precision.
  return wanted.is_tflite() && is_matrix ? tflite::matmul_multiplier(x, weights, wanted.y.scale)
                                         : tflite::conv_multiplier(x, weights, wanted.y.scale);
}

std::optional<QuantizedAddAttributes> add_attributes(const Wanted& wanted, const Scaled& a,
                                                     const Scaled& b, bool subtract) {
  const float y = wanted.y.scale;
  if (wanted.is_litert()) {
    auto found = tflite::litert_add_attributes(a, b, y, requantisation(wanted), subtract);
    if (found) return found;
  }
  if (wanted.is_tflite()) {
    return tflite::add_attributes(a, b, y, requantisation(wanted), subtract);
  }
  return half_even::add_attributes(a, b, y, requantisation(wanted), subtract);
}

QuantizedMulAttributes mul_attributes(const Wanted& wanted, const Scaled& a, const Scaled& b) {
  QuantizedMulAttributes by = planner::mul_attributes(a, b, wanted.y.scale, requantisation(wanted));
  if (wanted.is_litert()) {
    const Multiplier factor = tflite::float_multiplier(a.scale, b.scale, wanted.y.scale);
    by.multiplier = factor.multiplier;
    by.shift = factor.shift;
  }
  return by;
}

QuantizedSumAttributes sum_attributes(const Wanted& wanted, const Scaled& x, uint32_t axes,
                                      uint32_t count) {
  const auto sum = wanted.is_tflite() ? tflite::sum_attributes : half_even::sum_attributes;
  return sum(x, wanted.y.scale, axes, count, requantisation(wanted));
}

RequantizeAttributes requantize_attributes(const Wanted& wanted, const Scaled& x) {
  return planner::requantize_attributes(x, wanted.y.scale, requantisation(wanted));
}

namespace {

Table tflite_table(const Wanted& wanted, const Scaled& x, const FunctionOfOne& function) {
  const Scaled& y = wanted.y;
  switch (function.op) {
    case Op::kSigmoid:
      return tflite::logistic_table(x, y);
    case Op::kTanh:
      return tflite::tanh_table(x, y);
    case Op::kHardSwish:
      return tflite::hard_swish_table(x, y);
    case Op::kLeakyRelu:
      return tflite::leaky_relu_table(x, y, function.alpha);
    case Op::kAbs:
      return tflite::abs_table(x, y);
    case Op::kReciprocal:  // of the root
      if (x.dtype == DType::kInt8) return tflite::rsqrt_table(x, y);
      break;
    default:
      break;
  }
  std::map<float, float> numbers;
  const int32_t low = range_of(x.dtype).low;
  for (int32_t i = 0; i < 256; ++i) {
    const float number = static_cast<float>(i + low - x.zero_point) * x.scale;
    numbers[number] = function.numbers[static_cast<size_t>(i)];
  }
  return tflite::table_of(x, y, [&](float number) { return numbers.at(number); });
}

}  // namespace

Table function_table(const Wanted& wanted, const Scaled& x, const FunctionOfOne& function) {
  const Limits limits = limits_of(wanted);
  Table table{};
  if (wanted.is_tflite()) {
    if (function.is_none) return tflite::requantised_table(x, wanted.y, limits);
    table = tflite_table(wanted, x, function);
  } else {
    for (size_t i = 0; i < table.size(); ++i) {
      table[i] = quantised(function.numbers[i], wanted.y.scale, wanted.y.zero_point, wanted.y.dtype,
                           Rounding::kHalfEven);
    }
  }
  for (int32_t& entry : table) entry = std::clamp(entry, limits.low, limits.high);
  return table;
}

}  // namespace arenite::planner::quantise
// SPDX-License-Identifier: Apache-2.0

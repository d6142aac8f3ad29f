// Chooses between TensorFlow Lite's numbers and ONNX's.
#include "planner/passes/integers/numbers.h"

#include <algorithm>
#include <map>

#include "planner/fixed_point/tables.h"
#include "planner/passes/integers/scale.h"

namespace arenite::planner::quantize {

Multiplier product_multiplier(const Wanted& wanted, float x, float weights, bool is_matrix) {
  if (wanted.is_litert()) return tflite::float_multiplier(x, weights, wanted.y.scale);
  // TensorFlow Lite multiplies the scales of matrices in single precision.
  return wanted.is_tflite() && is_matrix ? tflite::matmul_multiplier(x, weights, wanted.y.scale)
                                         : tflite::conv_multiplier(x, weights, wanted.y.scale);
}

std::optional<QuantizedAddAttributes> add_attributes(const Wanted& wanted, const Scaled& a,
                                                     const Scaled& b, SumKind kind) {
  if (!wanted.is_tflite()) return half_even::add_attributes(wanted, a, b, kind);
  if (wanted.is_litert()) {
    if (auto found = tflite::litert_add_attributes(wanted, a, b, kind)) return found;
  }
  return tflite::add_attributes(wanted, a, b, kind);
}

QuantizedMulAttributes mul_attributes(const Wanted& wanted, const Scaled& a, const Scaled& b) {
  const Multiplier factor = product_multiplier(wanted, a.scale, b.scale, false);
  return {{a.zero_point, b.zero_point}, factor.multiplier, factor.shift, requantization(wanted)};
}

QuantizedSumAttributes sum_attributes(const Wanted& wanted, const Scaled& x, uint32_t axes,
                                      uint32_t count) {
  const auto sum = wanted.is_tflite() ? tflite::sum_attributes : half_even::sum_attributes;
  return sum(wanted, x, axes, count);
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
    if (function.is_none) return tflite::requantized_table(x, wanted.y, limits);
    table = tflite_table(wanted, x, function);
  } else {
    for (size_t i = 0; i < table.size(); ++i) {
      table[i] = quantized(function.numbers[i], wanted.y, wanted.rounding);
    }
  }
  for (int32_t& entry : table) entry = std::clamp(entry, limits.low, limits.high);
  return table;
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0

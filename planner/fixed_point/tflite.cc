// Makes multipliers, shifts and limits of TensorFlow Lite's integer kernels.
#include "planner/fixed_point/tflite.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace arenite::planner::tflite {

Requantisation requantisation(const Scaled& y, const Limits& limits) {
  const bool legacy = is_litert(y);
  return {legacy ? Rounding::kFloat32 : Rounding::kTfliteDouble, y.zero_point, limits.low,
          limits.high};
}

Multiplier float_multiplier(float x, float weights, float y) {
  return quantised_multiplier(double{x * weights / y});
}

std::optional<QuantizedAddAttributes> litert_add_attributes(const Scaled& a, const Scaled& b,
                                                            float y, const Requantisation& output,
                                                            bool subtract) {
  constexpr int kBits = 21;
  constexpr float kLeast = 0x1p-10f, kEnd = 0x1p8f;
  const float factors[2] = {a.scale / y, b.scale / y};
  for (const float factor : factors) {
    if (!(factor >= kLeast && factor < kEnd)) return std::nullopt;
  }
  int exponent = 0;
  std::frexp(std::max(factors[0], factors[1]), &exponent);
  QuantizedAddAttributes attributes = {};
  attributes.kind = subtract ? SumKind::kDifference : SumKind::kSum;
  attributes.zero_points[0] = a.zero_point;
  attributes.zero_points[1] = b.zero_point;
  attributes.shifts[2] = kBits - exponent;
  for (size_t i = 0; i < 2; ++i) {
    attributes.multipliers[i] =
        static_cast<int32_t>(std::lrint(std::ldexp(factors[i], kBits - exponent)));
  }
  attributes.output = output;
  return attributes;
}

Multiplier conv_multiplier(float x, float weights, float y) {
  return quantised_multiplier(double{x} * double{weights} / double{y});
}

Multiplier matmul_multiplier(float a, float b, float y) {
  return quantised_multiplier(double{a * b} / double{y});
}

// The operands get a common scale, twice the greater one, and bits below the point.
QuantizedAddAttributes add_attributes(const Scaled& a, const Scaled& b, float y,
                                      const Requantisation& output, bool subtract) {
  constexpr uint32_t kBitsOf8 = 20, kBitsOf16 = 15;
  QuantizedAddAttributes attributes = {};
  attributes.left_shift = a.dtype == DType::kInt16 ? kBitsOf16 : kBitsOf8;
  attributes.kind = subtract ? SumKind::kDifference : SumKind::kSum;
  attributes.zero_points[0] = a.zero_point;
  attributes.zero_points[1] = b.zero_point;
  const float common = 2 * std::max(a.scale, b.scale);
  const auto bits = static_cast<float>(1u << attributes.left_shift);
  double factors[3] = {double{a.scale} / double{common}, double{b.scale} / double{common},
                       double{common} / (double{bits} * double{y})};
  if (subtract) {
    factors[0] = double{a.scale / common};
    factors[1] = double{b.scale / common};
    factors[2] = double{common / (bits * y)};
  }
  for (size_t i = 0; i < 3; ++i) {
    const Multiplier multiplier = quantised_multiplier(factors[i]);
    attributes.multipliers[i] = multiplier.multiplier;
    attributes.shifts[i] = multiplier.shift;
  }
  attributes.output = output;
  if (output.rounding == Rounding::kFloat32) attributes.output.rounding = Rounding::kTfliteDouble;
  return attributes;
}

// Like the attributes of sums, but operands are shifted less or more, and other numbers are rounded
// to float32: squares have 32 bits.
QuantizedAddAttributes squared_difference_attributes(const Scaled& a, const Scaled& b, float y,
                                                     const Requantisation& output) {
  constexpr uint32_t kBitsOf8 = 7, kBitsOf16 = 0;
  QuantizedAddAttributes attributes = {};
  attributes.kind = SumKind::kSquare;
  attributes.left_shift = a.dtype == DType::kInt16 ? kBitsOf16 : kBitsOf8;
  attributes.zero_points[0] = a.zero_point;
  attributes.zero_points[1] = b.zero_point;
  const double common = 2.0 * double{std::max(a.scale, b.scale)};
  const auto square_bits = static_cast<float>(1u << (2 * attributes.left_shift));
  const double factors[3] = {double{a.scale} / common, double{b.scale} / common,
                             common * common / double{square_bits * y}};
  for (size_t i = 0; i < 3; ++i) {
    const Multiplier multiplier = quantised_multiplier(factors[i]);
    attributes.multipliers[i] = multiplier.multiplier;
    attributes.shifts[i] = multiplier.shift;
  }
  attributes.output = output;
  return attributes;
}

// A mean's multiplier is divided by the count, cut off, after it got as many bits more as the count
// has but one.
QuantizedSumAttributes sum_attributes(const Scaled& x, float y, uint32_t axes, uint32_t count,
                                      const Requantisation& output) {
  Multiplier factor = quantised_multiplier(double{x.scale} / double{y});
  if (count != 0) {
    const auto bits = static_cast<int32_t>(std::bit_width(count)) - 1;
    const int32_t more = std::min(bits, 31 + factor.shift);
    factor.multiplier = static_cast<int32_t>((int64_t{factor.multiplier} << more) / count);
    factor.shift -= more;
  }
  return {axes, x.zero_point, factor.multiplier, factor.shift, output};
}

std::optional<SoftmaxScale> softmax_scale(float x, float beta) {
  constexpr int32_t kIntegerBits = 5, kFractionBits = 26;
  constexpr double kGreatest = 2147483647;
  const double factor = std::min(double{beta} * double{x} * double{1u << kFractionBits}, kGreatest);
  if (!(factor > 1)) return std::nullopt;
  SoftmaxScale scale;
  scale.input = quantised_multiplier(factor);
  const double radius = std::ldexp((1 << kIntegerBits) - 1, kFractionBits - scale.input.shift);
  scale.difference_min = -static_cast<int32_t>(std::floor(radius));
  return scale;
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0

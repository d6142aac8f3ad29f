// Makes multipliers, shifts and limits of TensorFlow Lite's integer kernels.
#include "planner/fixed_point/tflite.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace arenite::planner::tflite {

Multiplier float_multiplier(float x, float weights, float y) {
  return quantized_multiplier(double{x * weights / y});
}

namespace {

void set_factors(const double (&factors)[3], QuantizedAddAttributes& attributes) {
  for (size_t i = 0; i < 3; ++i) {
    const Multiplier multiplier = quantized_multiplier(factors[i]);
    attributes.multipliers[i] = multiplier.multiplier;
    attributes.shifts[i] = multiplier.shift;
  }
}

}  // namespace

std::optional<QuantizedAddAttributes> litert_add_attributes(const Wanted& wanted, const Scaled& a,
                                                            const Scaled& b, SumKind kind) {
  constexpr int kBits = 21;
  constexpr float kLeast = 0x1p-10f, kEnd = 0x1p8f;
  const float factors[2] = {a.scale / wanted.y.scale, b.scale / wanted.y.scale};
  for (const float factor : factors) {
    if (!(factor >= kLeast && factor < kEnd)) return std::nullopt;
  }
  int exponent = 0;
  std::frexp(std::max(factors[0], factors[1]), &exponent);
  QuantizedAddAttributes attributes = sum_without_factors(wanted, a, b, kind);
  attributes.shifts[2] = kBits - exponent;
  for (size_t i = 0; i < 2; ++i) {
    attributes.multipliers[i] =
        static_cast<int32_t>(std::lrint(std::ldexp(factors[i], kBits - exponent)));
  }
  return attributes;
}

Multiplier conv_multiplier(float x, float weights, float y) {
  return quantized_multiplier(double{x} * double{weights} / double{y});
}

Multiplier matmul_multiplier(float a, float b, float y) {
  return quantized_multiplier(double{a * b} / double{y});
}

// The operands get a common scale, twice the greater one, and bits below the point.
QuantizedAddAttributes add_attributes(const Wanted& wanted, const Scaled& a, const Scaled& b,
                                      SumKind kind) {
  constexpr uint32_t kBitsOf8 = 20, kBitsOf16 = 15;
  QuantizedAddAttributes attributes = sum_without_factors(wanted, a, b, kind);
  attributes.left_shift = a.dtype == DType::kInt16 ? kBitsOf16 : kBitsOf8;
  const float common = 2 * std::max(a.scale, b.scale);
  const auto bits = static_cast<float>(1u << attributes.left_shift);
  double factors[3] = {double{a.scale} / double{common}, double{b.scale} / double{common},
                       double{common} / (double{bits} * double{wanted.y.scale})};
  if (kind == SumKind::kDifference) {
    factors[0] = double{a.scale / common};
    factors[1] = double{b.scale / common};
    factors[2] = double{common / (bits * wanted.y.scale)};
  }
  set_factors(factors, attributes);
  attributes.output.rounding = Rounding::kTfliteDouble;
  return attributes;
}

// Like the attributes of sums, but operands are shifted less or more, and other numbers are rounded
// to float32: squares have 32 bits.
QuantizedAddAttributes squared_difference_attributes(const Wanted& wanted, const Scaled& a,
                                                     const Scaled& b) {
  constexpr uint32_t kBitsOf8 = 7, kBitsOf16 = 0;
  QuantizedAddAttributes attributes = sum_without_factors(wanted, a, b, SumKind::kSquare);
  attributes.left_shift = a.dtype == DType::kInt16 ? kBitsOf16 : kBitsOf8;
  const double common = 2.0 * double{std::max(a.scale, b.scale)};
  const auto square_bits = static_cast<float>(1u << (2 * attributes.left_shift));
  const double factors[3] = {double{a.scale} / common, double{b.scale} / common,
                             common * common / double{square_bits * wanted.y.scale}};
  set_factors(factors, attributes);
  return attributes;
}

// A mean's multiplier is divided by the count, cut off, after it got as many bits more as the count
// has but one.
QuantizedSumAttributes sum_attributes(const Wanted& wanted, const Scaled& x, uint32_t axes,
                                      uint32_t count) {
  Multiplier factor = quantized_multiplier(double{x.scale} / double{wanted.y.scale});
  if (count != 0) {
    const auto bits = static_cast<int32_t>(std::bit_width(count)) - 1;
    const int32_t more = std::min(bits, 31 + factor.shift);
    factor.multiplier = static_cast<int32_t>((int64_t{factor.multiplier} << more) / count);
    factor.shift -= more;
  }
  return {axes, x.zero_point, factor.multiplier, factor.shift, requantization(wanted)};
}

std::optional<SoftmaxScale> softmax_scale(float x, float beta) {
  constexpr int32_t kIntegerBits = 5, kFractionBits = 26;
  constexpr double kGreatest = 2147483647;
  const double factor = std::min(double{beta} * double{x} * double{1u << kFractionBits}, kGreatest);
  if (!(factor > 1)) return std::nullopt;
  SoftmaxScale scale;
  scale.input = quantized_multiplier(factor);
  const double radius = std::ldexp((1 << kIntegerBits) - 1, kFractionBits - scale.input.shift);
  scale.difference_min = -static_cast<int32_t>(std::floor(radius));
  return scale;
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0

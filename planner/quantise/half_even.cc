// Makes multipliers, limits and tables of steps that round once, halves to even.
#include "planner/quantise/half_even.h"

#include <algorithm>
#include <cmath>

namespace arenite::planner::half_even {

Limits limits_of(const Scaled& y, float low, float high) {
  const Limits all = tflite::limits_of(y.dtype);
  const auto quantised = [&](float bound, int32_t otherwise) {
    if (std::isinf(bound) || std::isnan(bound)) return otherwise;
    const double at = std::nearbyint(double{bound / y.scale}) + y.zero_point;
    return static_cast<int32_t>(
        std::clamp(at, static_cast<double>(all.low), static_cast<double>(all.high)));
  };
  return {quantised(low, all.low), quantised(high, all.high)};
}

Requantisation requantisation(const Scaled& y, const Limits& limits) {
  return {Rounding::kHalfEven, y.zero_point, limits.low, limits.high};
}

// Both factors with as many bits below the point as leave the greater one 22 in all.
std::optional<QuantizedAddAttributes> add_attributes(const Scaled& a, const Scaled& b,
                                                     const Scaled& y, const Limits& limits,
                                                     bool subtract) {
  constexpr int kBits = 22, kFractionMax = 62;
  const double factors[2] = {double{a.scale} / double{y.scale}, double{b.scale} / double{y.scale}};
  const double greater = std::max(factors[0], factors[1]);
  int exponent = 0;
  std::frexp(greater, &exponent);
  int fraction = kBits - exponent;
  if (std::nearbyint(std::ldexp(greater, fraction)) >= double{1 << kBits}) --fraction;
  if (fraction < 0 || fraction > kFractionMax) return std::nullopt;
  QuantizedAddAttributes attributes = {};
  attributes.zero_points[0] = a.zero_point;
  attributes.zero_points[1] = b.zero_point;
  for (size_t i = 0; i < 2; ++i) {
    attributes.multipliers[i] =
        static_cast<int32_t>(std::nearbyint(std::ldexp(factors[i], fraction)));
  }
  attributes.shifts[2] = fraction;
  attributes.subtract = subtract ? 1 : 0;
  attributes.output = half_even::requantisation(y, limits);
  return attributes;
}

QuantizedMulAttributes mul_attributes(const Scaled& a, const Scaled& b, const Scaled& y,
                                      const Limits& limits) {
  const Multiplier factor =
      quantised_multiplier(double{a.scale} * double{b.scale} / double{y.scale});
  return {{a.zero_point, b.zero_point},
          factor.multiplier,
          factor.shift,
          half_even::requantisation(y, limits)};
}

QuantizedSumAttributes sum_attributes(const Scaled& x, const Scaled& y, uint32_t axes,
                                      uint32_t count, const Limits& limits) {
  const double parts = count == 0 ? 1.0 : static_cast<double>(count);
  const Multiplier factor = quantised_multiplier(double{x.scale} / (double{y.scale} * parts));
  return {axes, x.zero_point, factor.multiplier, factor.shift,
          half_even::requantisation(y, limits)};
}

RequantizeAttributes requantize_attributes(const Scaled& x, const Scaled& y, const Limits& limits) {
  const Multiplier factor = quantised_multiplier(double{x.scale} / double{y.scale});
  return {x.zero_point, factor.multiplier, factor.shift, half_even::requantisation(y, limits)};
}

// e^0 counts as much as numerators over y's scale, and sums of `count`, have room for in 32 bits.
std::vector<uint32_t> softmax_table(float x, float y, uint64_t count) {
  constexpr double kMost = 4294967295.0;
  constexpr size_t kDifferences = 256;
  const double one = std::floor(
      std::min(kMost / static_cast<double>(std::max<uint64_t>(count, 1)), kMost * double{y}));
  std::vector<uint32_t> table(2 * kDifferences);
  for (size_t i = 0; i < kDifferences; ++i) {
    const double share = one * std::exp(-double{x} * static_cast<double>(i));
    table[i] = static_cast<uint32_t>(std::min(std::nearbyint(share / double{y}), kMost));
    table[kDifferences + i] = static_cast<uint32_t>(std::nearbyint(share));
  }
  return table;
}

}  // namespace arenite::planner::half_even
// SPDX-License-Identifier: Apache-2.0

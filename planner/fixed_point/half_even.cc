// Makes multipliers, limits and tables of steps that round once, halves to even.
#include "planner/fixed_point/half_even.h"

#include <algorithm>
#include <cmath>

namespace arenite::planner::half_even {

// Both factors with as many bits below the point as leave the greater one 22 in all.
std::optional<QuantizedAddAttributes> add_attributes(const Wanted& wanted, const Scaled& a,
                                                     const Scaled& b, SumKind kind) {
  constexpr int kBits = 22, kFractionMax = 62;
  const double y = double{wanted.y.scale};
  const double factors[2] = {double{a.scale} / y, double{b.scale} / y};
  const double greater = std::max(factors[0], factors[1]);
  int exponent = 0;
  std::frexp(greater, &exponent);
  int fraction = kBits - exponent;
  if (std::nearbyint(std::ldexp(greater, fraction)) >= double{1 << kBits}) --fraction;
  if (fraction < 0 || fraction > kFractionMax) return std::nullopt;
  QuantizedAddAttributes attributes = sum_without_factors(wanted, a, b, kind);
  for (size_t i = 0; i < 2; ++i) {
    attributes.multipliers[i] =
        static_cast<int32_t>(std::nearbyint(std::ldexp(factors[i], fraction)));
  }
  attributes.shifts[2] = fraction;
  return attributes;
}

QuantizedSumAttributes sum_attributes(const Wanted& wanted, const Scaled& x, uint32_t axes,
                                      uint32_t count) {
  const double parts = count == 0 ? 1.0 : static_cast<double>(count);
  const Multiplier factor =
      quantized_multiplier(double{x.scale} / (double{wanted.y.scale} * parts));
  return {axes, x.zero_point, factor.multiplier, factor.shift, requantization(wanted)};
}

// e^0 counts as much as numerators over y's scale, and sums of `count`, have room for in 32 bits.
// Halves go up where numerators are one more: less than what rounding changes of most of them.
std::vector<uint32_t> softmax_table(float x, float y, uint64_t count, Halves halves) {
  constexpr double kMost = 4294967295.0;
  constexpr size_t kDifferences = 256;
  const double one = std::floor(
      std::min(kMost / static_cast<double>(std::max<uint64_t>(count, 1)), kMost * double{y}));
  const double more = halves == Halves::kUp ? 1.0 : 0.0;
  std::vector<uint32_t> table(2 * kDifferences);
  for (size_t i = 0; i < kDifferences; ++i) {
    const double share = one * std::exp(-double{x} * static_cast<double>(i));
    table[i] = static_cast<uint32_t>(std::min(std::nearbyint(share / double{y}) + more, kMost));
    table[kDifferences + i] = static_cast<uint32_t>(std::nearbyint(share));
  }
  return table;
}

}  // namespace arenite::planner::half_even
// SPDX-License-Identifier: Apache-2.0

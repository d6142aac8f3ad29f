// Functions of fixed-point numbers as gemmlowp and TensorFlow Lite's integer kernels compute them,
// bit for bit: exponential, reciprocal, logistic function and hyperbolic tangent.
//
// A number of `kInteger` integer bits is an int32_t or int16_t that stands for itself divided by
// 2^(bits - 1 - kInteger). Results have none: they lie in [-1, 1), and the greatest counts as 1.
// Sums of int16_t wrap, as those of int32_t, but for the one that gemmlowp saturates.
#pragma once

#include <cstdint>
#include <limits>

#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/requantization.h"

namespace arenite {

// The upper half of 2 * a * b, rounded: to the nearest, halves up.
inline int16_t doubling_high_product(int16_t a, int16_t b) {
  using Limits = std::numeric_limits<int16_t>;
  if (a == Limits::lowest() && b == Limits::lowest()) return Limits::max();
  return static_cast<int16_t>((int32_t{a} * b + (1 << 14)) >> 15);
}

namespace fixed_point {

template <typename Raw>
constexpr int32_t bits_of() {
  return static_cast<int32_t>(sizeof(Raw)) * 8;
}

// Nearly 1, without integer bits; and 2^exponent with some.
template <typename Raw>
constexpr Raw one() {
  return std::numeric_limits<Raw>::max();
}
template <typename Raw>
constexpr Raw power_of_two(int32_t integer_bits, int32_t exponent) {
  return static_cast<Raw>(Raw{1} << (bits_of<Raw>() - 1 - integer_bits + exponent));
}

// A constant, given with 32 bits.
template <typename Raw>
constexpr Raw constant(int32_t raw) {
  return static_cast<Raw>(rounded_shift_away(raw, 32 - bits_of<Raw>()));
}

template <typename Raw>
Raw saturated(int64_t value) {
  using Limits = std::numeric_limits<Raw>;
  if (value < Limits::lowest()) return Limits::lowest();
  return value > Limits::max() ? Limits::max() : static_cast<Raw>(value);
}

// x with fewer integer bits, by so many, or more: saturating, rounded away from zero.
template <int32_t kFewer, typename Raw>
Raw rescaled(Raw x) {
  if constexpr (kFewer >= 0) {
    return saturated<Raw>(int64_t{x} << kFewer);
  } else {
    return static_cast<Raw>(rounded_shift_away(x, -kFewer));
  }
}

// e^x for x in [-1/4, 0), none with integer bits: four terms of the series about -1/8.
template <typename Raw>
Raw exp_below_zero(Raw x) {
  constexpr auto kExpOfEighth = constant<Raw>(1895147668);  // e^(-1/8)
  constexpr auto kThird = constant<Raw>(715827883);
  const Raw d = wrapped_sum(x, power_of_two<Raw>(0, -3));
  const Raw d2 = doubling_high_product(d, d);
  const Raw d3 = doubling_high_product(d2, d);
  const Raw d4 = doubling_high_product(d2, d2);
  const Raw cubes = doubling_high_product(wrapped_sum(rescaled<-2>(d4), d3), kThird);
  const Raw terms = wrapped_sum(d, rescaled<-1>(wrapped_sum(cubes, d2)));
  const Raw product = doubling_high_product(kExpOfEighth, terms);
  return sizeof(Raw) == 2 ? saturated<Raw>(int64_t{kExpOfEighth} + product)
                          : wrapped_sum(kExpOfEighth, product);
}

// e^x for x <= 0 of kInteger integer bits.
template <int32_t kInteger, typename Raw>
Raw exp_of_negative(Raw x) {
  if (x == 0) return one<Raw>();
  if constexpr (kInteger > 5) {
    constexpr auto kLeast = constant<Raw>(-(1 << (36 - kInteger)));  // -32
    if (x < kLeast) return 0;
  }
  // x is a rest in [-1/4, 0) less whole quarters, whose powers of e are multiplied bit by bit.
  constexpr auto kQuarter = power_of_two<Raw>(kInteger, -2);
  const auto rest = static_cast<Raw>((x & (kQuarter - 1)) - kQuarter);
  const Raw quarters = wrapped_sum(rest, wrapped_negative(x));
  Raw result = exp_below_zero(rescaled<kInteger>(rest));
  // e^(-2^k), k from -2 on.
  constexpr int32_t kPowers[] = {1672461947, 1302514674, 790015084, 290630308,
                                 39332535,   720401,     242};
  for (int32_t k = 0; k < 7 && k - 2 < kInteger; ++k) {
    if ((quarters >> (bits_of<Raw>() - 1 - kInteger + k - 2) & 1) != 0) {
      result = doubling_high_product(result, constant<Raw>(kPowers[k]));
    }
  }
  return result;
}

// 1 / d with two integer bits, d = (1 + x) / 2 for x in [0, 1) without: three steps of Newton's.
template <typename Raw>
Raw reciprocal_of_mean_with_one(Raw x) {
  const auto d = static_cast<Raw>((int64_t{x} + one<Raw>() + 1) / 2);
  Raw y = wrapped_sum(constant<Raw>(1515870810),                              // 48 / 17
                      doubling_high_product(d, constant<Raw>(-1010580540)));  // -32 / 17
  for (int32_t i = 0; i < 3; ++i) {
    const Raw rest =
        wrapped_sum(power_of_two<Raw>(2, 0), wrapped_negative(doubling_high_product(d, y)));
    y = wrapped_sum(y, rescaled<2>(doubling_high_product(y, rest)));
  }
  return y;
}

// 1 / (1 + x) and (1 - x) / (1 + x), for x in [0, 1).
template <typename Raw>
Raw one_over_one_plus(Raw x) {
  return rescaled<1>(reciprocal_of_mean_with_one(x));
}
template <typename Raw>
Raw one_minus_over_one_plus(Raw x) {
  return rescaled<2>(
      wrapped_sum(reciprocal_of_mean_with_one(x), wrapped_negative(power_of_two<Raw>(2, 0))));
}

// 1 / (1 + e^-x) for x of kInteger integer bits.
template <int32_t kInteger, typename Raw>
Raw logistic(Raw x) {
  if (x == 0) return constant<Raw>(1 << 30);
  const Raw of_magnitude =
      one_over_one_plus(exp_of_negative<kInteger>(x > 0 ? wrapped_negative(x) : x));
  return x > 0 ? of_magnitude : wrapped_sum(one<Raw>(), wrapped_negative(of_magnitude));
}

template <int32_t kInteger, typename Raw>
Raw tanh(Raw x) {
  if (x == 0) return 0;
  const Raw of_magnitude =
      one_minus_over_one_plus(exp_of_negative<kInteger + 1>(x > 0 ? wrapped_negative(x) : x));
  return x > 0 ? of_magnitude : wrapped_negative(of_magnitude);
}

}  // namespace fixed_point
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Multiplies pairs of 8-bit integers and rounds their products once, halves to even.
#pragma once

#include "portable_fallback/fast/integer_factor_even.h"
#include "portable_fallback/fast/integer_pairs.h"

namespace arenite {

// The product of both numbers less their zero points times the factor, plus y's zero point, within
// low and high.
struct EvenPairs {
  int32_t zero_points[2];
  EvenFactor factor;
  int32_t zero_point, low, high;
  bool is_unsigned;  // uint8, else int8
};

namespace {

// One pair of type T after the other. `saturated` gives the number of y that is nearest to a
// number.
template <typename T, bool kNeighbors, typename Saturated>
[[gnu::always_inline]] inline void multiply_even(const EvenPairs& by, const IntegerPairRow& row,
                                                 Saturated saturated) {
  const EvenRounded factor(by.factor);
  const int32_t zero_point = by.zero_point;
  for_products<T, kNeighbors>(by.zero_points, row, [&](int32_t product) {
    return saturated(factor(product) + zero_point);
  });
}

template <typename T>
[[gnu::noinline]] void multiply_even_each(const EvenPairs& by, const IntegerPairRow& row) {
  const int32_t low = by.low, high = by.high;
  multiply_even<T, false>(by, row,
                          [&](int32_t number) { return limited_number(number, low, high); });
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

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
  // Copies: what is written could be the numbers' own bytes.
  const EvenRounded factor(by.factor);
  const int32_t first = by.zero_points[0], second = by.zero_points[1];
  const int32_t zero_point = by.zero_point;
  const ptrdiff_t a_step = kNeighbors ? 1 : row.steps[0];
  const ptrdiff_t b_step = kNeighbors ? 1 : row.steps[1];
  const ptrdiff_t y_step = kNeighbors ? 1 : row.y_step;
  Src<std::byte> a = row.inputs[0], b = row.inputs[1];
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left, a += a_step, b += b_step, y += y_step) {
    const T of_a = *as<T>(a);
    const T of_b = *as<T>(b);
    const int32_t product = (int32_t{of_a} - first) * (int32_t{of_b} - second);
    *as<T>(y) = static_cast<T>(saturated(factor(product) + zero_point));
  }
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

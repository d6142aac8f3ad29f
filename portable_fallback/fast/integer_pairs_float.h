// Multiplies pairs of 8-bit integers and rounds their products as float32 does, halves to even.
#pragma once

#include "portable_fallback/fast/integer_pairs.h"
#include "portable_fallback/fast/whole_floats.h"

namespace arenite {

// The product of both numbers less their zero points times the factor in float32, rounded to a
// whole number, plus y's zero point, within low and high.
struct FloatPairs {
  int32_t zero_points[2];
  float factor;
  int32_t zero_point, low, high;
  bool is_unsigned;  // uint8, else int8
};

namespace {

// One pair of type T after the other.
template <typename T>
[[gnu::noinline]] void multiply_float_each(const FloatPairs& by, const IntegerPairRow& row) {
  const float factor = by.factor;
  const int32_t zero_point = by.zero_point;
  const int32_t low = by.low - zero_point, high = by.high - zero_point;
  for_products<T>(by.zero_points, row, [&](int32_t product) {
    const int32_t number = whole_to_even(static_cast<float>(product) * factor);
    return limited_number(number, low, high) + zero_point;
  });
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

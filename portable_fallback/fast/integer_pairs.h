// Describes rows of pairs of 8-bit integers to kernels that multiply them.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/integer_factor_dsp.h"

namespace arenite {

struct IntegerPairs {
  FactorNumbers factor;
  uint32_t flip;  // 0x80 where elements are int8: makes them uint8, in the order of their numbers
  int32_t added[2];               // to each of these: what its zero point is below 0
  int32_t zero_point, low, high;  // of y
};

struct IntegerPairRow {
  Src<std::byte> inputs[2];
  Dst<std::byte> y;
  ptrdiff_t steps[2], y_step;  // bytes
  uint32_t count;
};

namespace {

// result(product) of each pair of type T, one after the other: the product of both numbers less
// their zero points.
template <typename T, bool kNeighbors = false, typename F>
[[gnu::always_inline]] inline void for_products(const int32_t (&zero_points)[2],
                                                const IntegerPairRow& row, const F& result) {
  // Copies: what is written could be the numbers' own bytes.
  const int32_t first = zero_points[0], second = zero_points[1];
  const ptrdiff_t a_step = kNeighbors ? 1 : row.steps[0];
  const ptrdiff_t b_step = kNeighbors ? 1 : row.steps[1];
  const ptrdiff_t y_step = kNeighbors ? 1 : row.y_step;
  Src<std::byte> a = row.inputs[0], b = row.inputs[1];
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left, a += a_step, b += b_step, y += y_step) {
    const T of_a = *as<T>(a);
    const T of_b = *as<T>(b);
    *as<T>(y) = static_cast<T>(result((int32_t{of_a} - first) * (int32_t{of_b} - second)));
  }
}

// One pair after the other.
inline void multiply_each(const IntegerPairs& by, const IntegerPairRow& row) {
  const TwiceRounded factor(by.factor);
  const uint32_t flip = by.flip;
  const int32_t first = by.added[0], second = by.added[1], zero_point = by.zero_point;
  const int32_t low = by.low - zero_point, high = by.high - zero_point;
  const ptrdiff_t a_step = row.steps[0], b_step = row.steps[1], y_step = row.y_step;
  Src<std::byte> a = row.inputs[0], b = row.inputs[1];
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left, a += a_step, b += b_step, y += y_step) {
    const int32_t of_a = static_cast<int32_t>(static_cast<uint32_t>(*a) ^ flip) + first;
    const int32_t of_b = static_cast<int32_t>(static_cast<uint32_t>(*b) ^ flip) + second;
    *y = static_cast<std::byte>(limited_number(factor(of_a * of_b), low, high) + zero_point);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

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

// Adds numbers of 8 bits of two scales by one division of what is summed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

// y = (multipliers[0] * a + multipliers[1] * b + added) / 2^right, rounded down, plus the zero
// point, within low and high. What is divided has 32 bits. Kernels of halves to even make an odd
// quotient without a rest one less.
struct OnceSums {
  int32_t multipliers[2];
  int32_t added;   // what the zero points add, and half of the divisor
  uint32_t right;  // 1 to 31
  int32_t zero_point, low, high;
  bool is_unsigned;  // uint8, else int8
  bool half_even;    // for kernels of both
};

struct OnceSumRow {
  Src<std::byte> inputs[2];
  Dst<std::byte> y;
  ptrdiff_t steps[2], y_step;  // bytes
  uint32_t count;
};

namespace {

// Whether vectors add these elements, so many bytes apart: neighbors, or neighbors and one number.
inline bool are_sum_neighbors(ptrdiff_t a_step, ptrdiff_t b_step, ptrdiff_t y_step) {
  return (a_step == 0 || a_step == 1) && (b_step == 0 || b_step == 1) && y_step == 1;
}

inline int32_t once_limited(int32_t number, int32_t low, int32_t high) {
  const int32_t raised = number < low ? low : number;
  return raised > high ? high : raised;
}

// What is divided, which `added` made half of the divisor greater, and its quotient to even.
inline int32_t divided_to_even(uint32_t sum, uint32_t right) {
  const int32_t quotient = static_cast<int32_t>(sum) >> right;
  return sum << (32 - right) == 0 ? quotient & ~1 : quotient;
}

template <bool kToEven>
inline int32_t once_quotient(uint32_t sum, uint32_t right) {
  return kToEven ? divided_to_even(sum, right) : static_cast<int32_t>(sum) >> right;
}

// One element after the other, of type T.
template <typename T, bool kToEven = false>
[[gnu::always_inline]] inline void add_once_sums(const OnceSums& of, const OnceSumRow& row) {
  // Copies: what is written could be the sums' own bytes.
  const int32_t first = of.multipliers[0], second = of.multipliers[1], added = of.added;
  const uint32_t right = of.right;
  const int32_t zero_point = of.zero_point, low = of.low, high = of.high;
  const ptrdiff_t a_step = row.steps[0], b_step = row.steps[1], y_step = row.y_step;
  Src<std::byte> a = row.inputs[0], b = row.inputs[1];
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left) {
    const T of_a = *as<T>(a);
    const T of_b = *as<T>(b);
    // In any order of the additions: each may wrap.
    const uint32_t sum = static_cast<uint32_t>(of_a * first) +
                         static_cast<uint32_t>(of_b * second) + static_cast<uint32_t>(added);
    const int32_t quotient = once_quotient<kToEven>(sum, right);
    *as<T>(y) = static_cast<T>(once_limited(quotient + zero_point, low, high));
    a += a_step;
    b += b_step;
    y += y_step;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Adds numbers of two scales with products whose upper half alone is made, by the instructions that
// a kernel's file chooses (dsp.h).
#pragma once

#include "portable_fallback/fast/dsp.h"
#include "portable_fallback/fast/integer_sums_dsp_kernel.h"

namespace arenite {
namespace {

// Multiplies doubled numbers by a factor and divides. A number that is negative has a product that
// is, or is 0, and then being one lower changes nothing.
struct Scale {
  explicit Scale(const DspFactor& factor)
      : multiplier(factor.multiplier),
        right(factor.right),
        half(factor.half),
        lower(factor.lower) {}

  int32_t operator()(int32_t doubled) const {
    return dsp::add_high_product(doubled, multiplier, half + ((doubled >> 31) & lower)) >> right;
  }

  int32_t multiplier;
  uint32_t right;
  int32_t half, lower;
};

// A doubled number is power * element + added, of elements as uint8 in the order of their numbers.
struct Numbers {
  Numbers(const DspSums& of, uint32_t which)
      : flip(of.flip ^ 0x80), power(2 << of.left), added((of.added[which] - 128) * power) {}
  int32_t operator()(std::byte x) const {
    return static_cast<int32_t>(static_cast<uint32_t>(x) ^ flip) * power + added;
  }
  uint32_t flip;
  int32_t power, added;
};

inline std::byte limited(int32_t number, int32_t low, int32_t high) {
  const int32_t raised = number < low ? low : number;
  return static_cast<std::byte>(raised > high ? high : raised);
}

// One element after the other.
[[gnu::always_inline]] inline void add_scaled_sums(const DspSums& of, const DspSumRow& row) {
  // Copies: what is written could be the sums' own bytes.
  const Scale first(of.factors[0]), second(of.factors[1]), whole(of.sum);
  const Numbers first_number(of, 0), second_number(of, 1);
  const int32_t zero_point = of.zero_point, low = of.low, high = of.high;
  const int32_t factor = of.subtracts ? -2 : 2;
  const bool squares = of.squares;
  const ptrdiff_t a_step = row.steps[0], b_step = row.steps[1], y_step = row.y_step;
  Src<std::byte> a = row.inputs[0], b = row.inputs[1];
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left) {
    int32_t doubled = factor * second(second_number(*b)) + 2 * first(first_number(*a));
    if (squares) doubled *= doubled >> 1;
    *y = limited(whole(doubled) + zero_point, low, high);
    a += a_step;
    b += b_step;
    y += y_step;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

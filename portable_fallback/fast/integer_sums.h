// Adds numbers of two scales with products whose upper half alone is made, by the instructions that
// a kernel's file chooses (dsp.h).
#pragma once

#include "portable_fallback/fast/dsp.h"
#include "portable_fallback/fast/integer_sums_dsp_kernel.h"

namespace arenite {
namespace {

// Multiplies by a factor and divides: halves go away from zero, up if negative numbers are one
// lower.
struct Scale {
  explicit Scale(const DspFactor& factor)
      : multiplier(factor.multiplier),
        right(factor.right),
        half(right == 0 ? 0 : static_cast<int32_t>(1u << (right - 1))),
        lower(right == 0 ? 0 : -1) {}

  // Of a number below 2^30 in magnitude.
  int32_t operator()(int32_t number) const {
    const int32_t product = dsp::high_product(2 * number, multiplier);
    return (product + ((product >> 31) & lower) + half) >> right;
  }

  int32_t multiplier;
  uint32_t right;
  int32_t half, lower;
};

inline void add_scaled_sums(const DspSums& sums, const DspSumRow& row) {
  // Copies: what is written could be the sums' own bytes.
  const DspSums of = sums;
  const Scale first(of.factors[0]), second(of.factors[1]), whole(of.sum);
  const int32_t sign = of.subtracts ? -1 : 0;
  const ptrdiff_t a_step = row.steps[0], b_step = row.steps[1], y_step = row.y_step;
  Src<std::byte> a = row.inputs[0], b = row.inputs[1];
  Dst<std::byte> y = row.y;
  const auto number = [&](std::byte x, int32_t added) {
    const auto element = static_cast<int8_t>(static_cast<uint32_t>(x) ^ of.flip);
    return (element + added) * (1 << of.left);
  };
  for (uint32_t left = row.count; left != 0; --left) {
    const int32_t scaled = second(number(*b, of.added[1]));
    const int32_t sum = first(number(*a, of.added[0])) + ((scaled ^ sign) - sign);
    const int32_t moved = whole(sum) + of.zero_point;
    const int32_t raised = moved < of.low ? of.low : moved;
    *y = static_cast<std::byte>(raised > of.high ? of.high : raised);
    a += a_step;
    b += b_step;
    y += y_step;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// One pair after the other, by products whose upper half alone is made.
//
// Products of two numbers of 8 bits have 17 bits: where their results are of the whole range, the
// zero point is added before they are divided, and an instruction limits them.
#include "portable_fallback/fast/integer_pairs_dsp_kernel.h"

namespace arenite {
namespace {

// By up to 2^22 a zero point is multiplied within 32 bits.
constexpr int32_t kRightMax = 22;

bool is_divided_once(const IntegerPairs& by) {
  return by.factor.shift < 0 && by.factor.shift >= -kRightMax && by.high - by.low == UINT8_MAX;
}

[[gnu::noinline]] void multiply_divided(const IntegerPairs& by, const IntegerPairRow& row) {
  // Results of uint8 are made as int8, 128 lower.
  const uint32_t flip = by.flip, y_flip = flip ^ 0x80;
  const int32_t first = by.added[0], second = by.added[1];
  const int32_t multiplier = by.factor.multiplier;
  const auto right = static_cast<uint32_t>(-by.factor.shift);
  const int32_t zero_point = by.zero_point - static_cast<int32_t>(y_flip);
  const int32_t half = (1 << (right - 1)) + zero_point * (1 << right);
  const ptrdiff_t a_step = row.steps[0], b_step = row.steps[1], y_step = row.y_step;
  Src<std::byte> a = row.inputs[0], b = row.inputs[1];
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left, a += a_step, b += b_step, y += y_step) {
    const int32_t of_a = static_cast<int32_t>(static_cast<uint32_t>(*a) ^ flip) + first;
    const int32_t of_b = static_cast<int32_t>(static_cast<uint32_t>(*b) ^ flip) + second;
    const int32_t doubled = dsp::doubled(of_a * of_b);
    // Halves go away from zero, up if negative products are one lower; one that is 0 may be too.
    const int32_t number = dsp::add_high_product(doubled, multiplier, half + (doubled >> 31));
    const int32_t result = dsp::saturated_8(number >> right);
    *y = static_cast<std::byte>(static_cast<uint32_t>(result) ^ y_flip);
  }
}

}  // namespace

void multiply_pairs_dsp(const IntegerPairs& by, const IntegerPairRow& row) {
  is_divided_once(by) ? multiply_divided(by, row) : multiply_each(by, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Says which factors kernels can apply to products of bytes and round once, halves to even.
#pragma once

#include "ops/attributes.h"
#include "portable_fallback/fast/integer_factor_even.h"

namespace arenite {

// 2^this divides a product with a multiplier.
constexpr int32_t divisor_bits(int32_t shift) { return 31 - shift; }

// Products of two differences of bytes are below 2^16 in magnitude, so that 15 bits raise them
// within 32.
constexpr int32_t kRaiseMax = 15;

constexpr bool is_even_factor(int32_t shift) {
  return divisor_bits(shift) >= 33 - kRaiseMax && divisor_bits(shift) <= 63;
}

// Raises products until their divisor is more than a word.
constexpr EvenFactor even_factor(int32_t multiplier, int32_t shift) {
  const int32_t bits = divisor_bits(shift);
  const int32_t raise = bits < 33 ? 33 - bits : 0;
  return {multiplier, static_cast<uint32_t>(raise), static_cast<uint32_t>(bits + raise - 32)};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The product of a sum and a factor as float32 arithmetic has it: by the unit of a Cortex-M that
// has one, elsewhere in integers.
#include "portable_fallback/shared/requantization.h"

#include <bit>

namespace arenite {

#if defined(__ARM_FP) && (__ARM_FP & 4) != 0 && defined(__ARM_ARCH_PROFILE) && \
    __ARM_ARCH_PROFILE == 'M'

// The unit rounds to the nearest, halves to even, and saturates where it makes integers. Factors
// are at least 2^(kShiftMin - 31), so that no product is subnormal.
int32_t requantized_in_float32(int32_t sum, int32_t multiplier, int32_t shift) {
  const auto power = std::bit_cast<float>(static_cast<uint32_t>(127 + shift - 31) << 23);
  const float product = static_cast<float>(sum) * (static_cast<float>(multiplier) * power);
  float rounded;
  asm("vcvtr.s32.f32 %0, %1" : "=t"(rounded) : "t"(product));
  return std::bit_cast<int32_t>(rounded);
}

#else

namespace {

// mantissa * 2^exponent, the mantissa of up to 24 bits or 2^24 itself.
struct Float {
  uint32_t mantissa;
  int32_t exponent;
};

// The nearest, of two the even one; value below 2^63.
Float rounded(uint64_t value) {
  constexpr int32_t kBits = 24;
  const int32_t bits = value == 0 ? 0 : 64 - __builtin_clzll(value);
  if (bits <= kBits) return {static_cast<uint32_t>(value), 0};
  const int64_t mantissa = rounded_shift_even(static_cast<int64_t>(value), bits - kBits);
  return {static_cast<uint32_t>(mantissa), bits - kBits};
}

}  // namespace

int32_t requantized_in_float32(int32_t sum, int32_t multiplier, int32_t shift) {
  const bool negative = sum < 0;
  const uint32_t magnitude = negative ? 0 - static_cast<uint32_t>(sum) : static_cast<uint32_t>(sum);
  const Float number = rounded(magnitude);
  const Float factor = rounded(static_cast<uint32_t>(multiplier));
  const Float product = rounded(uint64_t{number.mantissa} * factor.mantissa);
  const int32_t down = 31 - shift - number.exponent - factor.exponent - product.exponent;
  const auto value = negative ? -int64_t{product.mantissa} : int64_t{product.mantissa};
  return scaled_down(value, down < -31 ? -31 : down, Rounding::kHalfEven);
}

#endif

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The square root that compilers call where the CPU has no instruction for it, rounded to nearest
// even.
#include <bit>
#include <cstdint>

extern "C" float sqrtf(float x);

float sqrtf(float x) {
  constexpr uint32_t kFractionBits = 23, kInfinity = 0x7F800000, kQuietNan = 0x7FC00000;
  uint32_t bits = std::bit_cast<uint32_t>(x);
  if ((bits << 1) == 0 || bits == kInfinity) return x;  // 0 of either sign, infinity
  if (bits > kInfinity)
    return std::bit_cast<float>(bits << 1 > kInfinity << 1 ? bits | kQuietNan : kQuietNan);

  // x = fraction * 2^exponent, with 24 bits of fraction.
  int exponent = static_cast<int>(bits >> kFractionBits);
  uint32_t fraction = bits & ((1u << kFractionBits) - 1);
  if (exponent == 0) {
    const int shift = std::countl_zero(fraction) - 8;
    fraction <<= shift;
    exponent = 1 - shift;
  } else {
    fraction |= 1u << kFractionBits;
  }
  exponent -= 127;
  if ((exponent & 1) != 0) fraction <<= 1;

  // Digit by digit: 25 bits of the root of fraction * 2^25, the last to round by.
  uint64_t rest = uint64_t{fraction} << 25;
  uint64_t root = 0;
  for (uint64_t digit = uint64_t{1} << 48; digit != 0; digit >>= 2) {
    if (rest >= root + digit) {
      rest -= root + digit;
      root = (root >> 1) + digit;
    } else {
      root >>= 1;
    }
  }
  // The root is no tie: a square has an even number of bits behind the point.
  const uint32_t rounded = static_cast<uint32_t>((root + 1) >> 1);
  const int half = exponent >> 1;
  return std::bit_cast<float>((static_cast<uint32_t>(half + 126) << kFractionBits) + rounded);
}
// SPDX-License-Identifier: Apache-2.0

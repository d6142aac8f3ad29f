// The exact remainder of a float's division by another, as C's fmod: in integers, so that no
// step rounds and the FPU needs no instruction for it.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace arenite {

// x - n * y for the whole n towards zero; its sign is x's. NaN where y is 0 or x infinite.
template <typename T>
T float_rest(T x, T y) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr uint32_t kMantissa = sizeof(T) == 4 ? 23 : 52;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  constexpr Bits kHidden = Bits{1} << kMantissa;
  constexpr Bits kInfinite = kSign - kHidden;
  constexpr uint32_t kRoom = 8 * sizeof(T) - 1 - kMantissa;  // free bits above a mantissa
  const Bits sign = std::bit_cast<Bits>(x) & kSign;
  const Bits a = std::bit_cast<Bits>(x) & ~kSign;
  const Bits b = std::bit_cast<Bits>(y) & ~kSign;
  if (a >= kInfinite || b > kInfinite || b == 0) return std::bit_cast<T>(kInfinite + kHidden / 2);
  if (a < b) return x;
  // Numbers are m * 2^e; those without a hidden bit have the least exponent, 1.
  const auto exponent = [](Bits bits) { return static_cast<uint32_t>(bits >> kMantissa); };
  const auto mantissa = [](Bits bits) {
    return (bits & (kHidden - 1)) | (bits >= kHidden ? kHidden : 0);
  };
  const uint32_t least = b >= kHidden ? exponent(b) : 1;
  uint32_t left = (a >= kHidden ? exponent(a) : 1) - least;
  const Bits divisor = mantissa(b);
  Bits rest = mantissa(a) % divisor;
  while (left != 0) {
    const uint32_t shift = left < kRoom ? left : kRoom;
    rest = (rest << shift) % divisor;
    left -= shift;
  }
  if (rest == 0) return std::bit_cast<T>(sign);
  const uint32_t up = static_cast<uint32_t>(std::countl_zero(rest)) - kRoom;
  if (up >= least) return std::bit_cast<T>(sign | rest << (least - 1));
  return std::bit_cast<T>(sign | ((Bits{least - up} << kMantissa) + ((rest << up) - kHidden)));
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

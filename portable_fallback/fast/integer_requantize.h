// Describes to kernels how integers of 8 bits become those of another scale and zero point.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/integer_factor_dsp.h"

namespace arenite {

struct IntegerRequantize {
  FactorNumbers factor;
  uint32_t flip;  // 0x80 where x is int8: makes its elements uint8, in the order of their numbers
  int32_t added;  // to each of these: what the zero point is below 0
  int32_t zero_point, low, high;  // of y
};

namespace {

// One element after the other.
inline void requantize_each(const IntegerRequantize& by, Src<std::byte> x, Dst<std::byte> y,
                            uint32_t count) {
  const TwiceRounded factor(by.factor);
  const uint32_t flip = by.flip;
  const int32_t added = by.added, zero_point = by.zero_point;
  const int32_t low = by.low - zero_point, high = by.high - zero_point;
  for (; count != 0; --count, x += 1, y += 1) {
    const int32_t number = static_cast<int32_t>(static_cast<uint32_t>(*x) ^ flip) + added;
    *y = static_cast<std::byte>(limited_number(factor(number), low, high) + zero_point);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

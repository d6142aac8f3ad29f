// Rescales 16-bit integers to 8 bits and back, one after the other.
#pragma once

#include "portable_fallback/fast/integer_requantize.h"

namespace arenite {
namespace {

inline void narrow_each(const IntegerRequantize& by, Src<int16_t> x, Dst<std::byte> y,
                        uint32_t count) {
  const TwiceRounded factor(by.factor);
  const int32_t added = by.added, zero_point = by.zero_point;
  const int32_t low = by.low - zero_point, high = by.high - zero_point;
  for (; count != 0; --count, x += 1, y += 1) {
    const int32_t number = factor(*x + added);
    *y = static_cast<std::byte>(limited_number(number, low, high) + zero_point);
  }
}

inline void widen_each(const IntegerRequantize& by, Src<std::byte> x, Dst<int16_t> y,
                       uint32_t count) {
  const TwiceRounded factor(by.factor);
  const uint32_t flip = by.flip;
  const int32_t added = by.added, zero_point = by.zero_point;
  const int32_t low = by.low - zero_point, high = by.high - zero_point;
  for (; count != 0; --count, x += 1, y += 1) {
    const int32_t number = static_cast<int32_t>(static_cast<uint32_t>(*x) ^ flip) + added;
    *y = static_cast<int16_t>(limited_number(factor(number), low, high) + zero_point);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Multiplies pairs of 8-bit integers and rounds their products as float32 does, halves to even.
#pragma once

#include <cstring>

#include "portable_fallback/fast/integer_pairs.h"

namespace arenite {

// The product of both numbers less their zero points times the factor in float32, rounded to a
// whole number, plus y's zero point, within low and high.
struct FloatPairs {
  int32_t zero_points[2];
  float factor;
  int32_t zero_point, low, high;
  bool is_unsigned;  // uint8, else int8
};

namespace {

// The whole number nearest to x, halves to even; it saturates.
inline int32_t nearest_whole(float x) {
#if defined(__ARM_FP) && (__ARM_FP & 4) != 0 && defined(__ARM_ARCH_PROFILE) && \
    __ARM_ARCH_PROFILE == 'M'
  float whole;
  asm("vcvtr.s32.f32 %0, %1" : "=t"(whole) : "t"(x));
  int32_t number;
  std::memcpy(&number, &whole, sizeof number);
  return number;
#else
  // From 2^23 on every float is a whole number; adding it leaves no bits behind the point.
  constexpr float kWholeFrom = 8388608.0f, kEnd = 2147483648.0f;
  if (x >= kEnd) return INT32_MAX;
  if (x <= -kEnd) return INT32_MIN;
  const float size = x < 0 ? -x : x;
  if (size >= kWholeFrom) return static_cast<int32_t>(x);
  const auto whole = static_cast<int32_t>((size + kWholeFrom) - kWholeFrom);
  return x < 0 ? -whole : whole;
#endif
}

// One pair of type T after the other.
template <typename T>
[[gnu::noinline]] void multiply_float_each(const FloatPairs& by, const IntegerPairRow& row) {
  // Copies: what is written could be the numbers' own bytes.
  const float factor = by.factor;
  const int32_t first = by.zero_points[0], second = by.zero_points[1];
  const int32_t zero_point = by.zero_point;
  const int32_t low = by.low - zero_point, high = by.high - zero_point;
  const ptrdiff_t a_step = row.steps[0], b_step = row.steps[1], y_step = row.y_step;
  Src<std::byte> a = row.inputs[0], b = row.inputs[1];
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left, a += a_step, b += b_step, y += y_step) {
    const T of_a = *as<T>(a);
    const T of_b = *as<T>(b);
    const int32_t product = (int32_t{of_a} - first) * (int32_t{of_b} - second);
    const int32_t number = nearest_whole(static_cast<float>(product) * factor);
    *as<T>(y) = static_cast<T>(limited_number(number, low, high) + zero_point);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Whole numbers of floats: one instruction of an M-profile core's FPU, the same in plain C++ for
// every other machine. They saturate, and NaN becomes 0.
#pragma once

#include <bit>
#include <cstdint>

namespace arenite {
// Each kernel's file has its own, since each has its own flags.
namespace {

#if defined(__ARM_FP) && (__ARM_FP & 4) != 0 && defined(__ARM_ARCH_PROFILE) && \
    __ARM_ARCH_PROFILE == 'M'

inline int32_t whole_to_zero(float x) {
  float whole;
  asm("vcvt.s32.f32 %0, %1" : "=t"(whole) : "t"(x));
  return std::bit_cast<int32_t>(whole);
}

// Halves to even.
inline int32_t whole_to_even(float x) {
  float whole;
  asm("vcvtr.s32.f32 %0, %1" : "=t"(whole) : "t"(x));
  return std::bit_cast<int32_t>(whole);
}

#else

inline int32_t whole_to_zero(float x) {
  constexpr float kEnd = 2147483648.0f;
  if (x >= kEnd) return INT32_MAX;
  if (x <= -kEnd) return INT32_MIN;
  return x == x ? static_cast<int32_t>(x) : 0;
}

inline int32_t whole_to_even(float x) {
  // From 2^23 on every float is a whole number; adding it leaves no bits behind the point.
  constexpr float kWholeFrom = 8388608.0f;
  const float size = x < 0 ? -x : x;
  if (!(size < kWholeFrom)) return whole_to_zero(x);
  const int32_t whole = static_cast<int32_t>((size + kWholeFrom) - kWholeFrom);
  return x < 0 ? -whole : whole;
}

#endif

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

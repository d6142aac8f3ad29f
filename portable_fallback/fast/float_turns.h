// Sine and cosine of the floats in a vector: quarter turns are taken off in three parts (Cody and
// Waite, 1980), as float_functions.h has its functions.
#pragma once

#include "portable_fallback/fast/float_functions.h"

namespace arenite {
namespace {

// The sine of |x| < kTurnsReach and of `quarters` quarter turns more.
constexpr float kTurnsReach = 8192.0f;
[[gnu::always_inline]] inline Vector sine(Vector x, uint32_t quarters) {
  constexpr float kRounder = 12582912.0f;
  constexpr float kTwoOverPi = 0.636619772f;
  const Vector shifted = x * kTwoOverPi + kRounder;
  const Vector n = shifted - kRounder;
  // pi/2 in three parts: the first two have few bits, so that up to the reach n times them is
  // exact.
  Vector r = x - n * 1.5703125f;
  r = r - n * 4.837512969970703125e-4f;
  r = r - n * 7.54978995489188e-8f;
  // sin_near and cos_near of portable_fallback/shared/trigonometry.cc.
  const Vector z = r * r;
  Vector p = z * 2.7183154998e-06f - 1.9839334709e-04f;
  p = p * z + 8.3333291113e-03f;
  p = p * z - 1.6666667163e-01f;
  const Vector sin_near = r * z * p + r;
  Vector q = z * -2.7210390385e-07f + 2.4799521270e-05f;
  q = q * z - 1.3888883404e-03f;
  q = q * z + 4.1666667908e-02f;
  const Vector half = z * 0.5f;
  const Vector w = 1.0f - half;
  const Vector cos_near = w + (((1.0f - w) - half) + z * z * q);
  // The whole number is in the lowest bits of `shifted`, and the rounder's lowest nine bits are 0.
  const Words quadrant = __builtin_bit_cast(Words, shifted) + quarters;
  const Vector y = (quadrant & 1u) != 0u ? cos_near : sin_near;
  const Words sign = (quadrant & 2u) << 30;
  return __builtin_bit_cast(Vector, __builtin_bit_cast(Words, y) ^ sign);
}

struct Sin {
  static constexpr float kReach = kTurnsReach;
  [[gnu::always_inline]] static Vector of(Vector x, float, float) { return sine(x, 0); }
};

struct Cos {
  static constexpr float kReach = kTurnsReach;
  [[gnu::always_inline]] static Vector of(Vector x, float, float) { return sine(x, 1); }
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

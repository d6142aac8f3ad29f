// Hyperbolic functions and their inverses in single precision, within 4 ulp (tanh is in math.h).
#pragma once

#include "portable_fallback/shared/math.h"

namespace arenite {

// e^a / 2 for a >= 1, also where e^a alone overflows.
inline float half_exp_f32(float a) {
  if (a < 88.0f) return 0.5f * exp_f32(a);
  const float root = exp_f32(0.5f * a);
  return 0.5f * root * root;
}

inline float sinh_f32(float x) {
  const float a = abs_f32(x);
  if (a < 1.0f) {
    const float z = x * x;
    float p = 2.8174356430e-06f;
    p = p * z + 1.9836066349e-04f;
    p = p * z + 8.3333505318e-03f;
    p = p * z + 1.6666667163e-01f;
    return x * z * p + x;
  }
  const float half = half_exp_f32(a);
  return with_sign_of(half - 0.25f / half, x);
}

inline float cosh_f32(float x) {
  const float a = abs_f32(x);
  const float half = half_exp_f32(a);
  return half + 0.25f / half;
}

inline float asinh_f32(float x) {
  const float a = abs_f32(x);
  if (!(a < kInfinity)) return x;
  if (a > 4096.0f) return with_sign_of(log_f32(a) + 0.693147181f, x);
  const float square = a * a;
  return with_sign_of(log1p_f32(a + square / (1.0f + sqrt_f32(1.0f + square))), x);
}

// NaN below 1.
inline float acosh_f32(float x) {
  if (!(x >= 1.0f)) return kNan;
  if (x > 4096.0f) return log_f32(x) + 0.693147181f;
  const float t = x - 1.0f;
  return log1p_f32(t + sqrt_f32(2.0f * t + t * t));
}

// NaN outside [-1, 1].
inline float atanh_f32(float x) {
  const float a = abs_f32(x);
  if (!(a <= 1.0f)) return kNan;
  if (a == 1.0f) return with_sign_of(kInfinity, x);
  return with_sign_of(0.5f * log1p_f32((a + a) / (1.0f - a)), x);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

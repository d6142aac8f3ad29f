// Functions of the floats in a vector: each element takes the same instructions, wherever it lies.
#pragma once

#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

// e^-x by the steps of exp_f32 (portable_fallback/shared/math.h), but with one power of two, for
// sums of it and 1: those do not see what is below e^-87. NaN stays.
[[gnu::always_inline]] inline Vector exp_of_minus(Vector x) {
  constexpr float kRounder = 12582912.0f;
  Vector limited = x > 87.0f ? Vector{} + 87.0f : x;
  limited = limited < -89.0f ? Vector{} - 89.0f : limited;
  const Vector shifted = kRounder - limited * 1.44269504088896341f;
  const Vector n = shifted - kRounder;
  Vector r = -(n * 0.693359375f + limited);
  r = r - n * -2.12194440e-4f;
  Vector p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * (r * r) + r) + 1.0f;
  // 2^n: n is in the lowest bits of `shifted`, and the rounder's lowest nine bits are 0. 2^128 is
  // infinite.
  const Words scale = (__builtin_bit_cast(Words, shifted) << 23) + (127u << 23);
  return p * __builtin_bit_cast(Vector, scale);
}

// NaN passes through all of them.
struct Sigmoid {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    return 1.0f / (1.0f + exp_of_minus(x));
  }
};

struct HardSigmoid {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float beta) {
    const Vector v = x * alpha + beta;
    const Vector low = v > 1.0f ? Vector{} + 1.0f : v;
    return low < 0.0f ? Vector{} : low;
  }
};

struct HardSwish {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float beta) {
    return x * HardSigmoid::of(x, alpha, beta);
  }
};

struct Swish {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float) {
    return x / (1.0f + exp_of_minus(x * alpha));
  }
};

struct LeakyRelu {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float) {
    return x < 0.0f ? x * alpha : x;
  }
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

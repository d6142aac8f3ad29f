// Functions of the floats in a vector: each element takes the same instructions, wherever it lies.
#pragma once

#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

constexpr float kLog2OfE = 1.44269504088896341f;

// 2^t for sums of it and 1, which do not see what is below 2^-126; 2^128 is infinite. NaN stays.
// The polynomial of the rest, from -1/2 to 1/2, is the one of degree 5 with the least relative
// error, 1e-7, that is 1 at 0.
[[gnu::always_inline]] inline Vector power_of_two(Vector t) {
  constexpr float kRounder = 12582912.0f;
  const Vector limited = greater_of(Vector{} - 126.0f, less_of(Vector{} + 128.0f, t));
  const Vector shifted = limited + kRounder;
  const Vector r = limited - (shifted - kRounder);
  Vector p = r * 0.001326472731307149f + 0.009671512991189957f;
  p = p * r + 0.05550733581185341f;
  p = p * r + 0.24022242426872253f;
  p = p * r + 0.6931470036506653f;
  p = p * r + 1.0f;
  // The whole number is in the lowest bits of `shifted`, and the rounder's lowest nine bits are 0.
  const Words scale = (__builtin_bit_cast(Words, shifted) << 23) + (127u << 23);
  return p * __builtin_bit_cast(Vector, scale);
}

// NaN passes through all of them.
struct Sigmoid {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    return 1.0f / (1.0f + power_of_two(x * -kLog2OfE));
  }
};

struct HardSigmoid {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float beta) {
    return greater_of(Vector{}, less_of(Vector{} + 1.0f, x * alpha + beta));
  }
};

struct HardSwish {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float beta) {
    return x * HardSigmoid::of(x, alpha, beta);
  }
};

struct Swish {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float) {
    return x / (1.0f + power_of_two(x * (alpha * -kLog2OfE)));
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

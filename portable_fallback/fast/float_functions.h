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

// e^x is `part` times 2 to a whole number, which `shifted` holds in its lowest bits.
struct PowerOfE {
  Vector part, shifted;
};

// The polynomial of exp_f32 of portable_fallback/shared/math.h. NaN stays.
[[gnu::always_inline]] inline PowerOfE parts_of_power(Vector x) {
  constexpr float kRounder = 12582912.0f;
  const Vector shifted = x * kLog2OfE + kRounder;
  const Vector n = shifted - kRounder;
  Vector r = x - n * 0.693359375f;
  r = r - n * -2.12194440e-4f;
  Vector p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * (r * r) + r) + 1.0f;
  return {p, shifted};
}

// e^x within 2 ulp for x up to 0; below -87, where subnormal numbers begin, 0: a product with one
// of these takes over a hundred cycles. NaN stays.
[[gnu::always_inline]] inline Vector power_of_e(Vector x) {
  const PowerOfE e = parts_of_power(greater_of(Vector{} - 87.0f, x));
  const Words scale = (__builtin_bit_cast(Words, e.shifted) << 23) + (127u << 23);
  const Vector power = e.part * __builtin_bit_cast(Vector, scale);
  const auto is_less = __builtin_bit_cast(Words, x < Vector{} - 87.0f);
  return __builtin_bit_cast(Vector, __builtin_bit_cast(Words, power) & ~is_less);
}

// `magnitude`, which is not negative, with the sign of `sign`.
[[gnu::always_inline]] inline Vector with_sign_of(Vector magnitude, Vector sign) {
  return __builtin_bit_cast(Vector, __builtin_bit_cast(Words, magnitude) |
                                        (__builtin_bit_cast(Words, sign) & 0x80000000u));
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

// tanh_f32 and erf_f32 of portable_fallback/shared/math.h, with both of their branches computed.
struct Tanh {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    const Vector z = x * x;
    Vector p = z * -5.7174954563e-03f + 2.0651042461e-02f;
    p = p * z - 5.3743660450e-02f;
    p = p * z + 1.3331493735e-01f;
    p = p * z - 3.3333283663e-01f;
    const Vector small = x * z * p + x;
    const Vector a = greater_of(-x, x);
    const Vector large = 1.0f - 2.0f / (power_of_two(a * (2.0f * kLog2OfE)) + 1.0f);
    return a < 0.625f ? small : with_sign_of(large, x);
  }
};

struct Erf {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    const Vector a = greater_of(-x, x);
    const Vector z = x * x;
    Vector q = z * 7.8891192970e-05f - 8.0208410509e-04f;
    q = q * z + 5.1895352080e-03f;
    q = q * z - 2.6854444295e-02f;
    q = q * z + 1.1283600330e-01f;
    q = q * z - 3.7612625957e-01f;
    const Vector small = x * (q * z + 0.128379167f) + x;
    const Vector limited = less_of(Vector{} + 4.0f, a);
    Vector p = limited * 6.6282092348e-07f + 1.2329882338e-05f;
    p = p * limited - 3.8478494389e-04f;
    p = p * limited + 4.0133949369e-03f;
    p = p * limited - 2.4812791497e-02f;
    p = p * limited + 1.0790570080e-01f;
    p = p * limited + 6.3362729549e-01f;
    p = p * limited + 1.1293970346e+00f;
    p = p * limited - 1.5338217781e-04f;
    return a < 1.0f ? small : with_sign_of(1.0f - power_of_two(p * -kLog2OfE), x);
  }
};

struct Gelu {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    return 0.5f * x * (1.0f + Erf::of(x * 0.707106781f, 0, 0));
  }
};

struct GeluByTanh {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    const Vector inner = 0.797884561f * (x + 0.044715f * x * x * x);
    return 0.5f * x * (1.0f + Tanh::of(inner, 0, 0));
  }
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

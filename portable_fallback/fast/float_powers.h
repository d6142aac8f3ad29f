// More functions of the floats in a vector, as float_functions.h has them: powers of e and what is
// made of them, logarithms, and whole numbers.
#pragma once

#include "portable_fallback/fast/float_functions.h"

namespace arenite {
namespace {

typedef int32_t Integers __attribute__((vector_size(kVectorBytes)));

// exp_f32 of portable_fallback/shared/math.h: subnormal results too.
struct Exp {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    const PowerOfE e = parts_of_power(greater_of(Vector{} - 104.0f, less_of(Vector{} + 89.0f, x)));
    const Words steps = __builtin_bit_cast(Words, e.shifted) - 0x4b400000u;  // the rounder's bits
    const Words half = ((steps + 256u) >> 1) - 128u;
    const auto scale = __builtin_bit_cast(Vector, (half + 127u) << 23);
    return e.part * scale * __builtin_bit_cast(Vector, (steps - half + 127u) << 23);
  }
};

// log(1 + f) + n * log(2), sqrt(1/2) <= 1 + f < sqrt(2).
[[gnu::always_inline]] inline Vector log_of_parts(Vector f, Vector n) {
  Vector p = f * -7.8595459461e-02f + 1.2881621718e-01f;
  p = p * f - 1.3128767908e-01f;
  p = p * f + 1.4181196690e-01f;
  p = p * f - 1.6624553502e-01f;
  p = p * f + 2.0002286136e-01f;
  p = p * f - 2.5000810623e-01f;
  p = p * f + 3.3333316445e-01f;
  const Vector square = f * f;
  const Vector low = f * square * p + n * -2.12194440e-4f;
  return ((low - 0.5f * square) + f) + n * 0.693359375f;
}

// log_f32 of portable_fallback/shared/math.h.
struct Log {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    const auto is_small = x < 1.17549435e-38f;
    const Words bits = __builtin_bit_cast(Words, is_small ? x * 8388608.0f : x);
    constexpr uint32_t kRootHalf = 0x3f3504f3u;
    const Words above = bits - kRootHalf;
    const auto power = __builtin_bit_cast(Integers, above) >> 23;
    const Vector shift = is_small ? Vector{} + 23.0f : Vector{};
    const Vector n = __builtin_convertvector(power, Vector) - shift;
    const Vector f = __builtin_bit_cast(Vector, (above & 0x007fffffu) + kRootHalf) - 1.0f;
    const Vector log = log_of_parts(f, n);
    const Vector infinity = Vector{} + __builtin_inff();
    const Vector positive = x < infinity ? log : x;
    const Vector others = x == 0.0f ? -infinity : Vector{} + __builtin_nanf("");
    return x > 0.0f ? positive : others;
  }
};

// expm1_f32 of portable_fallback/shared/math.h, with both of its branches computed.
[[gnu::always_inline]] inline Vector power_of_e_less_one(Vector x) {
  Vector p = x * 2.4961889721e-05f + 1.9973567396e-04f;
  p = p * x + 1.3888591202e-03f;
  p = p * x + 8.3331428468e-03f;
  p = p * x + 4.1666667908e-02f;
  p = p * x + 1.6666667163e-01f;
  const Vector square = x * x;
  const Vector near = (x * square * p + 0.5f * square) + x;
  return greater_of(-x, x) < 0.5f ? near : Exp::of(x, 0, 0) - 1.0f;
}

struct Elu {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float) {
    return x < 0.0f ? alpha * power_of_e_less_one(x) : x;
  }
};

struct Selu {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float beta) {
    return beta * Elu::of(x, alpha, 0);
  }
};

struct Celu {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float) {
    return x < 0.0f ? alpha * power_of_e_less_one(x / alpha) : x;
  }
};

// max(x, 0) + log(1 + e^-|x|). What is taken of the logarithm's argument is exact, so that a small
// power is not lost beside 1.
struct Softplus {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    const Vector power = power_of_e(-greater_of(-x, x));
    const auto is_small = power < 0.41421356f;
    const Vector f = is_small ? power : power * 0.5f - 0.5f;
    const Vector n = is_small ? Vector{} : Vector{} + 1.0f;
    return greater_of(Vector{}, x) + log_of_parts(f, n);
  }
};

// From 2^23 on all floats are whole.
struct Round {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    constexpr float kWhole = 8388608.0f;
    const Vector a = greater_of(-x, x);
    return a < kWhole ? with_sign_of((a + kWhole) - kWhole, x) : x;
  }
};

struct Floor {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    const Vector whole = Round::of(x, 0, 0);
    return whole > x ? whole - 1.0f : whole;
  }
};

struct Ceil {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    const Vector whole = Round::of(x, 0, 0);
    return with_sign_of(whole < x ? whole + 1.0f : greater_of(-whole, whole), x);
  }
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

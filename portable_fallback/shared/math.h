// Float functions of our own: the same bits on every IEEE target, and no libm to link.
#pragma once

#include <bit>
#include <cstdint>

namespace arenite {

inline constexpr float kInfinity = __builtin_inff();
// The NaN of results: machines disagree about a NaN's sign.
inline constexpr float kNan = __builtin_nanf("");

// e^x within 1 ulp (subnormal results too), NaN for NaN. Only +, -, * and integer operations in a
// fixed order, without branches, so that loops over it can be vectorized.
inline float exp_f32(float x) {
  // Beyond these the result is infinite or rounds to 0; NaN passes both comparisons unchanged.
  float limited = x > 89.0f ? 89.0f : x;
  limited = limited < -104.0f ? -104.0f : limited;
  // x = n * ln 2 + r. Adding 1.5 * 2^23 rounds to an integer, which then sits in the low bits.
  constexpr float kRounder = 12582912.0f;
  const float shifted = limited * 1.44269504088896341f + kRounder;
  const float n = shifted - kRounder;
  // ln 2 in two parts; the first has few bits, so that n times it is exact.
  float r = limited - n * 0.693359375f;
  r = r - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * (r * r) + r) + 1.0f;
  // 2^n in two factors: neither leaves the normal range, and only the last product may round.
  const uint32_t steps = std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(kRounder);
  const uint32_t half = (steps + 256u) / 2u - 128u;
  const float scale0 = std::bit_cast<float>((half + 127u) << 23);
  const float scale1 = std::bit_cast<float>((steps - half + 127u) << 23);
  return p * scale0 * scale1;
}

// An instruction on every target with a single-precision FPU.
inline float sqrt_f32(float x) { return __builtin_sqrtf(x); }

inline float abs_f32(float x) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0x7fffffffu);
}

// `magnitude`, which is not negative, with the sign of `sign`.
inline float with_sign_of(float magnitude, float sign) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) |
                              (std::bit_cast<uint32_t>(sign) & 0x80000000u));
}

// The natural logarithm within 1 ulp; -infinity for 0, NaN below.
inline float log_f32(float x) {
  if (!(x > 0.0f)) return x == 0.0f ? -kInfinity : kNan;
  if (x == kInfinity) return x;
  // x = 2^n * (1 + f), sqrt(1/2) <= 1 + f < sqrt(2). Subnormals are scaled by 2^23 first.
  const bool subnormal = x < 1.17549435e-38f;
  const uint32_t bits = std::bit_cast<uint32_t>(subnormal ? x * 8388608.0f : x);
  constexpr uint32_t kRootHalf = 0x3f3504f3u;
  const uint32_t above = bits - kRootHalf;
  const auto n = static_cast<float>((static_cast<int32_t>(above) >> 23) - (subnormal ? 23 : 0));
  const float f = std::bit_cast<float>((above & 0x007fffffu) + kRootHalf) - 1.0f;
  // log(1 + f) = f - f^2 / 2 + f^3 * p(f), p by a minimax fit.
  float p = -7.8595459461e-02f;
  p = p * f + 1.2881621718e-01f;
  p = p * f - 1.3128767908e-01f;
  p = p * f + 1.4181196690e-01f;
  p = p * f - 1.6624553502e-01f;
  p = p * f + 2.0002286136e-01f;
  p = p * f - 2.5000810623e-01f;
  p = p * f + 3.3333316445e-01f;
  const float square = f * f;
  // ln 2 in two parts, as in exp_f32.
  const float low = f * square * p + n * -2.12194440e-4f;
  return ((low - 0.5f * square) + f) + n * 0.693359375f;
}

// log(1 + x) without losing a small x, within 3 ulp; x > -1.
inline float log1p_f32(float x) {
  const float sum = 1.0f + x;
  if (sum == 1.0f || sum == kInfinity) return x;
  // The rounding of the sum is undone to first order.
  return log_f32(sum) * (x / (sum - 1.0f));
}

// e^x - 1 without losing a small x, within 2 ulp.
inline float expm1_f32(float x) {
  if (!(abs_f32(x) < 0.5f)) return exp_f32(x) - 1.0f;
  float p = 2.4961889721e-05f;
  p = p * x + 1.9973567396e-04f;
  p = p * x + 1.3888591202e-03f;
  p = p * x + 8.3331428468e-03f;
  p = p * x + 4.1666667908e-02f;
  p = p * x + 1.6666667163e-01f;
  const float square = x * x;
  return (x * square * p + 0.5f * square) + x;
}

// Within 2 ulp.
inline float tanh_f32(float x) {
  const float a = abs_f32(x);
  if (a < 0.625f) {
    const float z = x * x;
    float p = -5.7174954563e-03f;
    p = p * z + 2.0651042461e-02f;
    p = p * z - 5.3743660450e-02f;
    p = p * z + 1.3331493735e-01f;
    p = p * z - 3.3333283663e-01f;
    return x * z * p + x;
  }
  const float y = 1.0f - 2.0f / (exp_f32(a + a) + 1.0f);
  return with_sign_of(y, x);
}

// The error function within 2 ulp.
inline float erf_f32(float x) {
  const float a = abs_f32(x);
  if (a < 1.0f) {
    const float z = x * x;
    float p = 7.8891192970e-05f;
    p = p * z - 8.0208410509e-04f;
    p = p * z + 5.1895352080e-03f;
    p = p * z - 2.6854444295e-02f;
    p = p * z + 1.1283600330e-01f;
    p = p * z - 3.7612625957e-01f;
    // 2 / sqrt(pi) = 1 + 0.128...
    return x * (p * z + 0.128379167f) + x;
  }
  // 1 - e^-p(x), p by a minimax fit of -log(1 - erf x) up to 4, where erf rounds to 1.
  const float limited = a > 4.0f ? 4.0f : a;
  float p = 6.6282092348e-07f;
  p = p * limited + 1.2329882338e-05f;
  p = p * limited - 3.8478494389e-04f;
  p = p * limited + 4.0133949369e-03f;
  p = p * limited - 2.4812791497e-02f;
  p = p * limited + 1.0790570080e-01f;
  p = p * limited + 6.3362729549e-01f;
  p = p * limited + 1.1293970346e+00f;
  p = p * limited - 1.5338217781e-04f;
  return with_sign_of(1.0f - exp_f32(-p), x);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

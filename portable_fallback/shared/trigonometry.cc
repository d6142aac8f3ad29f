// Sine and cosine: the argument is reduced to a quarter turn in integers (Payne and Hanek, 1983),
// so that large ones keep their precision; then a short polynomial.
#include "portable_fallback/shared/trigonometry.h"

#include <bit>
#include <cstdint>

#include "portable_fallback/shared/math.h"

namespace arenite {
namespace {

// An angle as quadrant * pi/2 + rest, |rest| <= pi/4.
struct Angle {
  uint32_t quadrant;  // modulo 4
  float rest;
};

// The bits of 2/pi behind the point, after 32 zeros: enough for the largest float.
constexpr uint32_t kTwoOverPi[] = {0,           0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                   0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};

// 32 bits of kTwoOverPi from bit `at` on.
uint32_t bits_at(uint32_t at) {
  const uint32_t* word = kTwoOverPi + at / 32;
  const uint32_t shift = at % 32;
  return shift == 0 ? word[0] : word[0] << shift | word[1] >> (32 - shift);
}

// x is finite and at least pi/4.
//
// 1. x = m * 2^e with a whole m of 24 bits. Bits of 2/pi whose product with it is a multiple of
// four
//    quarter turns don't matter; behind them, three words are enough.
// 2. Their product with m, modulo 4, in 64 bits: two bits of quadrant, 62 of fraction.
// 3. The fraction, taken to the nearest whole, times pi/2 is the rest.
Angle reduce_large(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t m = (bits & 0x007fffffu) | 0x00800000u;
  const uint32_t exponent = bits >> 23;  // m * 2^(exponent - 150)
  // Bit p of kTwoOverPi weighs 2^(31 - p): those before `first` give multiples of 4.
  const uint32_t first = exponent - 120;  // 6 to 134
  const uint64_t high = uint64_t{m} * bits_at(first);
  const uint64_t middle = uint64_t{m} * bits_at(first + 32);
  const uint64_t low = uint64_t{m} * bits_at(first + 64);
  // In units of 2^-62 of a quarter turn.
  const uint64_t turns = (high << 32) + middle + (low >> 32);
  const auto quadrant = static_cast<uint32_t>((turns + (uint64_t{1} << 61)) >> 62);
  const uint64_t fraction = turns << 2;  // signed, in units of 2^-64
  const bool negative = (fraction >> 63) != 0;
  const uint64_t magnitude = negative ? 0 - fraction : fraction;
  if (magnitude == 0) return {quadrant, 0.0f};
  const auto zeros = static_cast<uint32_t>(std::countl_zero(magnitude));
  const auto top = static_cast<uint32_t>(magnitude << zeros >> 32);
  constexpr uint64_t kHalfPi = 0xc90fdaa2u;  // times 2^-31
  const auto product = static_cast<uint32_t>((uint64_t{top} * kHalfPi) >> 32);
  // top * 2^(-32 - zeros) * pi/2 = product * 2^(-31 - zeros).
  const float scale = std::bit_cast<float>((127u - 31u - zeros) << 23);
  const float rest = static_cast<float>(product) * scale;
  return {quadrant, negative ? -rest : rest};
}

Angle reduce(float a) {
  constexpr float kQuarterPi = 0.785398163f;
  return a <= kQuarterPi ? Angle{0, a} : reduce_large(a);
}

// Both for |x| <= pi/4, by minimax fits.
float sin_near(float x) {
  const float z = x * x;
  float p = 2.7183154998e-06f;
  p = p * z - 1.9839334709e-04f;
  p = p * z + 8.3333291113e-03f;
  p = p * z - 1.6666667163e-01f;
  return x * z * p + x;
}
float cos_near(float x) {
  const float z = x * x;
  float p = -2.7210390385e-07f;
  p = p * z + 2.4799521270e-05f;
  p = p * z - 1.3888883404e-03f;
  p = p * z + 4.1666667908e-02f;
  const float half = 0.5f * z;
  // This gives back what 1 - half loses in rounding.
  const float w = 1.0f - half;
  return w + (((1.0f - w) - half) + z * z * p);
}

float turned(const Angle& angle, uint32_t quarters) {
  const uint32_t quadrant = angle.quadrant + quarters;
  const float y = (quadrant & 1) != 0 ? cos_near(angle.rest) : sin_near(angle.rest);
  return (quadrant & 2) != 0 ? -y : y;
}

// |x| < 1/2.
float asin_near(float x) {
  const float z = x * x;
  float p = 4.2211294174e-02f;
  p = p * z + 2.4152340367e-02f;
  p = p * z + 4.5476008207e-02f;
  p = p * z + 7.4952520430e-02f;
  p = p * z + 1.6666753590e-01f;
  return x * z * p + x;
}

// pi/2 in two parts.
constexpr float kHalfPiHigh = 1.57079637f;
constexpr float kHalfPiLow = -4.37113883e-8f;

}  // namespace

float sin_f32(float x) {
  const float a = abs_f32(x);
  if (!(a < kInfinity)) return kNan;
  if (a < 2.44140625e-4f) return x;
  const float y = turned(reduce(a), 0);
  return x < 0.0f ? -y : y;
}

float cos_f32(float x) {
  const float a = abs_f32(x);
  if (!(a < kInfinity)) return kNan;
  return turned(reduce(a), 1);
}

float tan_f32(float x) {
  const float a = abs_f32(x);
  if (!(a < kInfinity)) return kNan;
  if (a < 2.44140625e-4f) return x;
  const Angle angle = reduce(a);
  const float s = sin_near(angle.rest);
  const float c = cos_near(angle.rest);
  const float y = (angle.quadrant & 1) != 0 ? -c / s : s / c;
  return x < 0.0f ? -y : y;
}

float atan_f32(float x) {
  const float a = abs_f32(x);
  if (!(a <= kInfinity)) return x;
  // Folded to |t| <= tan(pi/8).
  float t = a, high = 0.0f, low = 0.0f;
  if (a > 2.41421356f) {
    t = -1.0f / a;
    high = kHalfPiHigh;
    low = kHalfPiLow;
  } else if (a > 0.414213562f) {
    t = (a - 1.0f) / (a + 1.0f);
    high = 0.5f * kHalfPiHigh;
    low = 0.5f * kHalfPiLow;
  }
  const float z = t * t;
  float p = -6.0844581574e-02f;
  p = p * z + 1.0596447438e-01f;
  p = p * z - 1.4243918657e-01f;
  p = p * z + 1.9998493791e-01f;
  p = p * z - 3.3333316445e-01f;
  return with_sign_of(((t * z * p + low) + t) + high, x);
}

float asin_f32(float x) {
  const float a = abs_f32(x);
  if (a < 0.5f) return asin_near(x);
  if (!(a <= 1.0f)) return kNan;
  const float y = 2.0f * asin_near(sqrt_f32(0.5f * (1.0f - a)));
  return with_sign_of((kHalfPiHigh - y) + kHalfPiLow, x);
}

float acos_f32(float x) {
  const float a = abs_f32(x);
  if (a < 0.5f) return (kHalfPiHigh - asin_near(x)) + kHalfPiLow;
  if (!(a <= 1.0f)) return kNan;
  const float y = 2.0f * asin_near(sqrt_f32(0.5f * (1.0f - a)));
  return x > 0.0f ? y : (2.0f * kHalfPiHigh - y) + 2.0f * kHalfPiLow;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// x^y = 2^(y * log2 x), in fixed point: single precision would lose what y magnifies, and small
// CPUs have no instructions for doubles. "Q54" is a number with 54 bits behind the point.
//
// The logarithm is off by 2^-35 of it, so that y times it is by 2^-27 at most, and 2^t by 2^-31.
// The worst of 4 million random powers is off by 0.55 ulp.
#include "portable_fallback/shared/power.h"

#include <bit>
#include <cstdint>

#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/power_cases.h"

namespace arenite {
namespace {

constexpr int32_t kMantissaBits = 23;
constexpr int64_t kOne = int64_t{1} << 54;  // Q54

// bits * 2^-point.
struct Fixed {
  int64_t bits;
  int32_t point;
};

// a * b, of which 32 bits are left out.
uint32_t high_product(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(uint64_t{a} * b >> 32);
}
int32_t high_product(int32_t a, int32_t b) { return static_cast<int32_t>(int64_t{a} * b >> 32); }

// f / d in Q56, for 2^23 <= |f| < 2^24 and d in Q24 between 1.7 and 2.5.
int64_t quotient(int32_t f, uint32_t d) {
  // 1 / d to 2^-15 in Q18, then to 2^-30 in Q32 by a step of Newton's.
  const uint32_t begin = UINT32_MAX / (d >> 10);
  const int64_t missing = (int64_t{1} << 42) - static_cast<int64_t>(uint64_t{begin} * d);
  const auto more = static_cast<uint32_t>(int64_t{begin} * static_cast<int32_t>(missing) >> 28);
  const uint32_t reciprocal = (begin << 14) + more;
  // The rest of f fits 64 bits, beyond which both numbers wrap.
  const int64_t near = int64_t{f} * reciprocal;
  const uint64_t all = static_cast<uint64_t>(int64_t{f}) << 56;
  const auto rest = static_cast<int64_t>(all - static_cast<uint64_t>(near) * d);
  return near + ((rest >> 20) * int64_t{reciprocal} >> 36);
}

// log2 of a finite positive number.
Fixed log2_fixed(float x) {
  const bool subnormal = x < 1.17549435e-38f;
  const uint32_t bits = std::bit_cast<uint32_t>(subnormal ? x * 8388608.0f : x);
  constexpr uint32_t kRootHalf = 0x3f3504f3u, kOneBits = 0x3f800000u;
  const uint32_t above = bits - kRootHalf;
  const int32_t n = (static_cast<int32_t>(above) >> kMantissaBits) - (subnormal ? 23 : 0);
  // x = 2^n * m, m between the roots of 1/2 and 2; f = m - 1 and m, d = m + 1 in Q24.
  const uint32_t of_m = (above & 0x007fffffu) + kRootHalf;
  const uint32_t mantissa = (of_m & 0x007fffffu) | 0x00800000u;
  const uint32_t m = of_m >= kOneBits ? mantissa << 1 : mantissa;
  const int32_t f = static_cast<int32_t>(m) - (1 << 24);
  if (f == 0) return {n * kOne, 54};
  // log m = 2 * artanh s = 2 * s * (1 + z * p(z)) for s = f / d, |s| < 0.172, and z = s^2: p is
  // 1 / 3 + z / 5 + ..., fitted to 2^-36 by Chebyshev's polynomials. A small f is raised by 2^k, so
  // that s has as many bits as any.
  const int32_t k = __builtin_clz(static_cast<uint32_t>(f < 0 ? -f : f)) - 8;
  const int64_t s = quotient(f * (1 << k), m + (1u << 24));               // Q56, raised
  const auto size = static_cast<uint32_t>((s < 0 ? -s : s) >> 23 >> k);   // |s|, Q33
  const auto z = static_cast<uint32_t>(uint64_t{size} * size >> 30);      // Q36
  constexpr uint32_t kParts[] = {0x248b851cu, 0x33333d75u, 0x55555553u};  // Q32
  uint32_t p = 0x1ddd38f5u;
  for (const uint32_t a : kParts) {
    p = a + (high_product(z, p) >> 4);
  }
  const int64_t series = s + ((s >> 26) * int64_t{high_product(z, p)} >> 10);  // Q56, raised
  // 2 / ln 2 in Q30 and the 32 bits behind.
  constexpr int64_t kFactor = 0xb8aa3b29, kFactorRest = 0x5c17f0bc;
  const int64_t high = series >> 24, low = series & 0xffffff;
  const int64_t log = high * kFactor + (low * kFactor >> 24) + (high * kFactorRest >> 32);
  if (n == 0) return {log, 62 + k};
  return {n * kOne + (log >> (k + 8)), 54};
}

// 2^t for t in Q54, -151 <= t < 128.
float exp2_fixed(int64_t t) {
  const auto n = static_cast<int32_t>((t + kOne / 2) >> 54);
  const auto r = static_cast<int32_t>((t - n * kOne) >> 22);  // Q32, at most 1/2
  // 2^r = 1 + r * p(r), likewise to 2^-33; p in Q31.
  constexpr int32_t kParts[] = {332032, 2863343, 20654619, 119194167, 515882500, 1488522236};
  int32_t p = 32864;
  for (const int32_t a : kParts) {
    p = a + high_product(p, r);
  }
  const int64_t power = (int64_t{1} << 38) + (int64_t{p} * r >> 25);  // Q38, 0.7 to 1.42
  // 24 bits of it, fewer of subnormal results, halves to even.
  const int32_t below_one = power >> 38 != 0 ? 0 : 1;
  int32_t exponent = n - below_one, left_out = 38 - kMantissaBits - below_one;
  if (exponent < -126) {
    left_out += -126 - exponent;
    exponent = -126;
  }
  const int64_t odd = power >> left_out & 1;
  const int64_t half = int64_t{1} << (left_out - 1);
  const auto rounded = static_cast<uint32_t>((power + half - 1 + odd) >> left_out);
  const uint32_t bits = rounded + (static_cast<uint32_t>(exponent + 126) << kMantissaBits);
  constexpr uint32_t kInfinite = 0x7f800000u;
  return std::bit_cast<float>(bits < kInfinite ? bits : kInfinite);
}

// x^y for a finite positive x and a finite y other than 0.
float positive_power(float x, float y) {
  const Fixed log = log2_fixed(x);
  if (log.bits == 0) return 1.0f;
  const uint32_t bits = std::bit_cast<uint32_t>(y);
  const auto exponent = static_cast<int32_t>(bits >> kMantissaBits & 0xff);
  auto mantissa = static_cast<int32_t>(bits & 0x007fffffu);
  if (exponent != 0) mantissa |= 1 << kMantissaBits;
  if (bits >> 31 != 0) mantissa = -mantissa;
  // The product without its last 32 bits, and how far it lies above Q54.
  const auto low = static_cast<int64_t>(static_cast<uint32_t>(log.bits));
  const int64_t product = (log.bits >> 32) * mantissa + (low * mantissa >> 32);
  const int32_t right = log.point - 32 - 54 + 150 - (exponent != 0 ? exponent : 1);
  int64_t t = 0;
  if (right >= 0) {
    t = product >> (right < 63 ? right : 63);
  } else {
    // Beyond 2^8, or not at all.
    const int64_t most = right > -62 ? (kOne << 8) >> -right : 0;
    if (product >= most) return kInfinity;
    if (product <= -most) return 0.0f;
    t = product * (int64_t{1} << -right);
  }
  if (t >= 128 * kOne) return kInfinity;
  return t < -151 * kOne ? 0.0f : exp2_fixed(t);
}

enum class Whole { kNo, kOdd, kEven };

Whole whole(float y) {
  const float a = abs_f32(y);
  if (!(a < 16777216.0f)) return a != a ? Whole::kNo : Whole::kEven;  // NaN is no number
  const auto number = static_cast<uint32_t>(a);
  if (static_cast<float>(number) != a) return Whole::kNo;
  return (number & 1) != 0 ? Whole::kOdd : Whole::kEven;
}

}  // namespace

float pow_f32(float x, float y) {
  const Whole parity = whole(y);
  return power_by_cases(x, y, parity != Whole::kNo, parity == Whole::kOdd,
                        [y](float a) { return positive_power(a, y); });
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// x^y = 2^(y * log2 x), in double precision: single precision would lose what y magnifies.
#include "portable_fallback/shared/power.h"

#include <bit>
#include <cstdint>

#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/power_cases.h"

namespace arenite {
namespace {

// log2 of a finite positive float, to about 2^-45.
double log2_f64(float x) {
  const bool subnormal = x < 1.17549435e-38f;
  const uint32_t bits = std::bit_cast<uint32_t>(subnormal ? x * 8388608.0f : x);
  constexpr uint32_t kRootHalf = 0x3f3504f3u;
  const uint32_t above = bits - kRootHalf;
  const int32_t n = (static_cast<int32_t>(above) >> 23) - (subnormal ? 23 : 0);
  const double m = std::bit_cast<float>((above & 0x007fffffu) + kRootHalf);
  // log m = 2 * artanh s, its series up to s^15; |s| < 0.172.
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 1.0 / 15.0;
  p = p * z + 1.0 / 13.0;
  p = p * z + 1.0 / 11.0;
  p = p * z + 1.0 / 9.0;
  p = p * z + 1.0 / 7.0;
  p = p * z + 1.0 / 5.0;
  p = p * z + 1.0 / 3.0;
  constexpr double kTwoOverLn2 = 2.88539008177792681;
  return n + kTwoOverLn2 * (s + s * z * p);
}

// 2^t as a float, for any t but NaN.
float exp2_f32(double t) {
  if (t >= 128.0) return kInfinity;
  if (t < -151.0) return 0.0f;
  // To the nearest whole number.
  const auto n = static_cast<int32_t>(t < 0.0 ? t - 0.5 : t + 0.5);
  const double r = (t - n) * 0.693147180559945309;
  // e^r by its series up to r^9; |r| < 0.35.
  double p = 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  // Rounded once, in the conversion.
  const double scale = std::bit_cast<double>(static_cast<uint64_t>(n + 1023) << 52);
  return static_cast<float>(p * scale);
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
                        [y](float a) { return exp2_f32(static_cast<double>(y) * log2_f64(a)); });
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

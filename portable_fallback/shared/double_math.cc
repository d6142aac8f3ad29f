// Logarithms as sums of two doubles, some 105 bits: what y * log x magnifies stays below a result's
// last place (Dekker, 1971, for the arithmetic).
#include "portable_fallback/shared/double_math.h"

#include <bit>
#include <cstdint>

#include "portable_fallback/shared/is_nan.h"
#include "portable_fallback/shared/power_cases.h"

namespace arenite {
namespace {

constexpr double kInfinity64 = __builtin_inf();
constexpr double kNan64 = __builtin_nan("");

// high + low, of which the second is below half a unit of the first one's last place.
struct Double2 {
  double high, low;
};

// |a| >= |b|, or a is 0.
Double2 fast_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

Double2 sum_of(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// The first 26 bits, so that products of two such are exact.
double upper_half(double a) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(a) & ~((uint64_t{1} << 27) - 1));
}

Double2 product_of(double a, double b) {
  const double product = a * b;
  const double a1 = upper_half(a), b1 = upper_half(b);
  const double a2 = a - a1, b2 = b - b1;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

Double2 operator+(const Double2& a, const Double2& b) {
  const Double2 sum = sum_of(a.high, b.high);
  return fast_sum(sum.high, sum.low + (a.low + b.low));
}

Double2 operator*(const Double2& a, const Double2& b) {
  const Double2 product = product_of(a.high, b.high);
  return fast_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

Double2 quotient_of(double a, double b) {
  const double quotient = a / b;
  const Double2 back = product_of(quotient, b);
  return fast_sum(quotient, ((a - back.high) - back.low) / b);
}

// log2 of a finite positive number, to about 2^-64 of itself.
Double2 log2_of(double x) {
  const bool subnormal = x < 0x1p-1022;
  const uint64_t bits = std::bit_cast<uint64_t>(subnormal ? x * 0x1p54 : x);
  constexpr uint64_t kRootHalf = 0x3fe6a09e667f3bcdu;
  const uint64_t above = bits - kRootHalf;
  const auto n = static_cast<double>((static_cast<int64_t>(above) >> 52) - (subnormal ? 54 : 0));
  const double m = std::bit_cast<double>((above & ((uint64_t{1} << 52) - 1)) + kRootHalf);
  // log m = 2 s (1 + s^2/3 + s^4/5 + ...), s = (m - 1) / (m + 1), |s| < 0.172. m + 1 may need a bit
  // more than there are.
  const Double2 below = sum_of(m, 1.0);
  Double2 s = quotient_of(m - 1.0, below.high);
  s = fast_sum(s.high, s.low - s.high * (below.low / below.high));
  const Double2 z = s * s;
  double p = 1.0 / 27.0;
  for (double k = 25.0; k > 4.0; k -= 2.0) p = p * z.high + 1.0 / k;
  constexpr Double2 kThird = {1.0 / 3.0, 1.850371707708594e-17};
  const Double2 tail = z * (kThird + product_of(z.high, p));
  constexpr Double2 kTwoOverLn2 = {2.8853900817779268, 4.0710547481862066e-17};
  return sum_of(n, 0.0) + kTwoOverLn2 * (s + s * tail);
}

// 2^t for any t but NaN.
double exp2_of(const Double2& t) {
  if (t.high >= 1025.0) return kInfinity64;
  if (t.high < -1080.0) return 0.0;
  const auto n = static_cast<int32_t>(t.high < 0.0 ? t.high - 0.5 : t.high + 0.5);
  constexpr Double2 kLn2 = {0.6931471805599453, 2.3190468138462996e-17};
  const Double2 r = Double2{t.high - n, t.low} * kLn2;
  // e^r by its series, |r| < 0.35; the first terms last.
  double p = 1.0;
  for (double k = 15.0; k > 2.0; k -= 1.0) p = p * r.high / k + 1.0;
  const double square = r.high * r.high;
  const double y = 1.0 + (r.high + (r.low + 0.5 * square * p));
  // In two factors: neither leaves the normal range, and only the last product may round.
  const int32_t half = n / 2;
  const auto scale = [](int32_t e) {
    return std::bit_cast<double>(static_cast<uint64_t>(e + 1023) << 52);
  };
  return y * scale(half) * scale(n - half);
}

double abs_f64(double x) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & ~(uint64_t{1} << 63));
}

}  // namespace

double exp_f64(double x) {
  if (is_nan(x)) return x;
  if (x > 710.0) return kInfinity64;
  if (x < -746.0) return 0.0;
  constexpr Double2 kLog2E = {1.4426950408889634, 2.0355273740931033e-17};
  return exp2_of(Double2{x, 0.0} * kLog2E);
}

double log_f64(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -kInfinity64 : kNan64;
  if (x == kInfinity64) return x;
  constexpr Double2 kLn2 = {0.6931471805599453, 2.3190468138462996e-17};
  const Double2 result = log2_of(x) * kLn2;
  return result.high + result.low;
}

double sqrt_f64(double x) {
  if (!(x > 0.0)) return x == 0.0 || is_nan(x) ? x : kNan64;
  if (x == kInfinity64) return x;
  const bool subnormal = x < 0x1p-1022;
  const auto bits = std::bit_cast<uint64_t>(subnormal ? x * 0x1p54 : x);
  // x = rest * 2^exponent, the exponent even.
  constexpr uint64_t kHidden = uint64_t{1} << 52;
  uint64_t rest = (bits & (kHidden - 1)) | kHidden;
  int32_t exponent = static_cast<int32_t>(bits >> 52) - 1075 - (subnormal ? 54 : 0);
  if (exponent % 2 != 0) {
    rest *= 2;
    --exponent;
  }
  // One bit of the root after the other, and one more to round by.
  rest *= 2;
  uint64_t root = 0, twice = 0;
  for (uint64_t bit = 2 * kHidden; bit != 0; bit >>= 1) {
    if (twice + bit <= rest) {
      rest -= twice + bit;
      twice += 2 * bit;
      root += bit;
    }
    rest *= 2;
  }
  if (rest != 0) root += root & 1;
  const auto power = static_cast<uint64_t>(int64_t{exponent - 52} / 2 + 1023);
  return static_cast<double>(root >> 1) * std::bit_cast<double>(power << 52);
}

double pow_f64(double x, double y) {
  const double a = abs_f64(y);
  if (a >= 0x1p53) return pow_f64(x, y, true, false);
  const auto whole = a == a ? static_cast<uint64_t>(a) : 0;
  return pow_f64(x, y, static_cast<double>(whole) == a, (whole & 1) != 0);
}

double pow_f64(double x, double y, bool whole, bool odd) {
  return power_by_cases(x, y, whole, odd, [y](double a) {
    // Beyond this any power of what is not 1 is 0 or infinite.
    constexpr double kLimit = 0x1p65;
    const double limited = y > kLimit ? kLimit : y < -kLimit ? -kLimit : y;
    return exp2_of(log2_of(a) * Double2{limited, 0.0});
  });
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// x^y of float32 to a few ulp on every driver: log2 x as a sum of two floats, since what it is
// multiplied by magnifies its error (Dekker, 1971). To be included after functions.glsl.

// The first 12 bits, so that products of two such are exact.
float upper_half(float v) { return uintBitsToFloat(floatBitsToUint(v) & 0xfffff000u); }

// An exponent: a float, or an integer that is none. high + low is y; high has 12 bits.
struct Exponent {
  float y, high, low;
  bool whole, odd;
};

Exponent float_exponent(float y) {
  float a = abs(y);
  bool large = a >= 16777216.0;
  uint number = large ? 0u : uint(a);
  float high = upper_half(y);
  return Exponent(y, high, y - high, large || float(number) == a, (number & 1u) != 0u);
}

Exponent int_exponent(int y) {
  float high = upper_half(float(y));
  return Exponent(float(y), high, float(y - int(high)), true, (y & 1) != 0);
}

// a^y for a finite a > 0 by its bits, and a finite y.
float power_of_positive(uint bits, Exponent y) {
  // Any base but 1 has a power of 0 or infinity then.
  bool grows = (bits > 0x3f800000u) == (y.y > 0.0);
  if (abs(y.y) > 8589934592.0) return grows ? infinity() : 0.0;
  float n;
  precise float f = fraction_of(bits, n);

  // s = f / (2 + f), in two parts: what the first leaves of f, divided again.
  precise float d = 2.0 + f;
  precise float d_rest = f - (d - 2.0);
  float d1 = upper_half(d);
  precise float d2 = d - d1;
  float s1 = upper_half(f / d);
  precise float left = ((f - s1 * d1) - s1 * d2) - s1 * d_rest;
  precise float s2 = left / d;

  // log2(1 + f) = 2 / ln 2 * (s + s^3/3 + s^5/5 + ...), |s| < 0.172.
  precise float s = s1 + s2;
  precise float z = s * s;
  float q = 1.0 / 13.0;
  q = q * z + 1.0 / 11.0;
  q = q * z + 1.0 / 9.0;
  q = q * z + 1.0 / 7.0;
  q = q * z + 1.0 / 5.0;
  q = q * z + 1.0 / 3.0;
  const float kFactor1 = 2.884765625, kFactor2 = 6.2445678e-4;  // 2 / ln 2
  precise float log_high = s1 * kFactor1;
  precise float log_low = s1 * kFactor2 + (s2 + s * z * q) * 2.88539008;
  precise float t = n + log_high;
  precise float t_rest = (log_high - (t - n)) + log_low;

  float t1 = upper_half(t);
  precise float t2 = (t - t1) + t_rest;
  precise float high = t1 * y.high;
  precise float low = t1 * y.low + t2 * y.y;
  if (high + low > 200.0) return infinity();
  if (high + low < -200.0) return 0.0;
  precise float whole = floor(high + low + 0.5);
  precise float r = ((high - whole) + low) * 0.693147181;
  return exp_times_power_of_two(r, int(whole));
}

// Special cases as in IEEE 754's pow, by bits.
float power(float x, Exponent y) {
  const uint kOne = 0x3f800000u;
  uint bits = floatBitsToUint(x) & 0x7fffffffu;
  if (is_zero(y.y) || floatBitsToUint(x) == kOne) return 1.0;
  if (is_nan(x) || is_nan(y.y)) return not_a_number();
  bool shrinks = is_negative(y.y);
  float result;
  if (is_infinite(y.y)) {
    if (bits == kOne) return 1.0;
    return (bits > kOne) != shrinks ? infinity() : 0.0;
  }
  if (bits == 0u || is_infinite(x)) {
    result = (bits == 0u) != shrinks ? 0.0 : infinity();
  } else {
    if (is_negative(x) && !y.whole) return not_a_number();
    result = power_of_positive(bits, y);
  }
  return y.whole && y.odd ? with_sign_of(result, x) : result;
}
// SPDX-License-Identifier: Apache-2.0

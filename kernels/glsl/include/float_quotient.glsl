// Quotients of float32 rounded as IEEE 754 says, and then to whole numbers, by their bits: devices
// may divide with an error of 2.5 units in the last place, and take subnormal numbers for 0.

// A number's 24 significant bits, the highest of them set, and its exponent: bits * 2^exponent. Of
// neither 0 nor an infinity nor NaN.
uint significant_bits(uint magnitude, out int exponent) {
  uint fraction = magnitude & 0x007fffffu;
  int field = int(magnitude >> 23);
  if (field != 0) {
    exponent = field - 150;
    return fraction | 0x00800000u;
  }
  int up = 23 - findMSB(fraction);
  exponent = -149 - up;
  return fraction << up;
}

// Whether x / divisor is a NaN.
bool is_nan_quotient(uint x, uint divisor) {
  uint a = x & 0x7fffffffu, b = divisor & 0x7fffffffu;
  const uint kInfinite = 0x7f800000u;
  return a > kInfinite || b > kInfinite || (a == 0u && b == 0u) || (a == kInfinite && b == kInfinite);
}

// The whole number nearest to the float32 nearest to x / divisor, which is no NaN: halves to even or
// away from zero, saturating at 2^24.
int rounded_quotient(uint x, uint divisor, bool halves_to_even) {
  uint a = x & 0x7fffffffu, b = divisor & 0x7fffffffu;
  bool negative = ((x ^ divisor) >> 31) != 0u;
  const int kMost = 1 << 24;
  if (a == 0u || b == 0x7f800000u) return 0;
  if (b == 0u || a == 0x7f800000u) return negative ? -kMost : kMost;
  // A quotient of normal numbers that is farther from a half than a device's errors, and the rounding to
  // float32, can be: division by whole numbers, below, takes ten times as long.
  if ((a >> 23) - 1u < 254u && (b >> 23) - 2u < 250u) {
    float near = uintBitsToFloat(a) / uintBitsToFloat(b);
    float below = floor(near);
    if (abs(near - below - 0.5) > near * 4e-6) {
      int number = int(below) + int(near - below > 0.5);
      return negative ? -number : number;
    }
  }
  int a_exponent, b_exponent;
  uint m = significant_bits(a, a_exponent), n = significant_bits(b, b_exponent);
  // The quotient in [1/2, 2), with 26 bits behind the point: eight at a time, then two.
  uint quotient = m / n, rest = m % n;
  for (uint i = 0u; i < 3u; ++i) {
    rest <<= 8;
    quotient = quotient << 8 | rest / n;
    rest %= n;
  }
  rest <<= 2;
  quotient = quotient << 2 | rest / n;
  rest %= n;
  // To 24 bits, halves to even.
  int dropped = quotient >= 1u << 26 ? 3 : 2;
  uint tail = quotient & ((1u << dropped) - 1u);
  uint middle = 1u << (dropped - 1);
  uint bits = quotient >> dropped;
  if (tail > middle || (tail == middle && (rest != 0u || (bits & 1u) != 0u))) ++bits;
  int exponent = a_exponent - b_exponent - 26 + dropped;
  // The float32 is bits * 2^exponent; one below the normal numbers rounds to 0 in any case.
  if (exponent >= 0) return negative ? -kMost : kMost;
  if (exponent < -25) return 0;
  uint fraction_bits = uint(-exponent);
  uint whole = bits >> fraction_bits;
  uint left = bits & ((1u << fraction_bits) - 1u);
  uint one_half = 1u << (fraction_bits - 1u);
  if (left > one_half || (left == one_half && (!halves_to_even || (whole & 1u) != 0u))) ++whole;
  return negative ? -int(whole) : int(whole);
}
// SPDX-License-Identifier: Apache-2.0

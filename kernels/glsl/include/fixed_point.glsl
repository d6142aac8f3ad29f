// Functions of fixed-point numbers as portable_fallback/shared/fixed_point.h has them, of 32 bits. To be
// included after requantize.glsl.

// x with fewer integer bits, saturating.
int with_fewer_bits(int x, int bits) { return saturated_shift_left(x, bits); }

// e^x for x in [-1/4, 0), none with integer bits.
int exp_below_zero(int x) {
  const int kExpOfEighth = 1895147668, kThird = 715827883;
  int d = x + (1 << 28);
  int d2 = doubling_high_product(d, d);
  int d3 = doubling_high_product(d2, d);
  int d4 = doubling_high_product(d2, d2);
  int cubes = doubling_high_product(rounded_shift_away(d4, 2) + d3, kThird);
  int terms = d + rounded_shift_away(cubes + d2, 1);
  return kExpOfEighth + doubling_high_product(kExpOfEighth, terms);
}

// e^x for x <= 0 of five integer bits.
int exp_of_negative(int x) {
  if (x == 0) return 0x7fffffff;
  const int kQuarter = 1 << 24;
  int rest = (x & (kQuarter - 1)) - kQuarter;
  uint quarters = (uint(rest) - uint(x)) >> 24;
  int result = exp_below_zero(with_fewer_bits(rest, 5));
  const int kPowers[7] =
      int[7](1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242);
  for (uint k = 0u; k < 7u; ++k) {
    if ((quarters >> k & 1u) != 0u) result = doubling_high_product(result, kPowers[k]);
  }
  return result;
}

// 1 / (1 + x) for x in [0, 1).
int one_over_one_plus(int x) {
  int d = int((uint(x) + 0x80000000u) >> 1);
  int y = 1515870810 + doubling_high_product(d, -1010580540);
  for (uint i = 0u; i < 3u; ++i) {
    int rest = (1 << 29) - doubling_high_product(d, y);
    y += with_fewer_bits(doubling_high_product(y, rest), 2);
  }
  return with_fewer_bits(y, 1);
}
// SPDX-License-Identifier: Apache-2.0

// Sums, differences and quotients of float32 and double precision that are not negative, rounded as
// IEEE 754 says, halves to even, by whole numbers: devices may divide with an error, take subnormal
// numbers for 0, and have no doubles.

// (high * 2^32 + low) * 2^exponent. The highest bit is set, but for 0; where something below was cut
// off the lowest is too. Operands of what follows are rounded: at least 11 low bits are free.
struct Exact {
  uint high, low;
  int exponent;
};

const uint kInfiniteBits = 0x7f800000u;
const int kFloatBits = 24, kFloatLeast = -149;
const int kDoubleBits = 53, kDoubleLeast = -1074;

bool is_nothing(Exact a) { return (a.high | a.low) == 0u; }

Exact normalized(uint high, uint low, int exponent) {
  if ((high | low) == 0u) return Exact(0u, 0u, 0);
  if (high == 0u) {
    high = low;
    low = 0u;
    exponent -= 32;
  }
  int up = 31 - findMSB(high);
  if (up == 0) return Exact(high, low, exponent);
  return Exact(high << up | low >> (32 - up), low << up, exponent - up);
}

// The exact form of a whole number.
Exact exact_of(uint number) { return normalized(number, 0u, -32); }

// The exact form of the bits of a float32 that is finite and not negative.
Exact exact_of_bits(uint bits) {
  uint fraction = bits & 0x007fffffu;
  int field = int(bits >> 23);
  if (field == 0) return normalized(fraction, 0u, kFloatLeast - 32);
  return normalized(fraction | 0x00800000u, 0u, kFloatLeast - 33 + field);
}

// Not normalized.
Exact shifted_down(Exact a, int n) {
  if (n == 0) return a;
  if (n < 32) {
    uint cut = uint((a.low << (32 - n)) != 0u);
    return Exact(a.high >> n, a.low >> n | a.high << (32 - n) | cut, a.exponent + n);
  }
  if (n >= 64) return Exact(0u, uint(!is_nothing(a)), a.exponent + n);
  uint cut = uint((a.low | (n == 32 ? 0u : a.high << (64 - n))) != 0u);
  return Exact(0u, a.high >> (n - 32) | cut, a.exponent + n);
}

// To so many bits, none of them worth less than 2^least.
Exact rounded(Exact a, int bits, int least) {
  if (is_nothing(a)) return a;
  int dropped = max(64 - bits, least - a.exponent);
  if (dropped > 64) return Exact(0u, 0u, 0);
  Exact tail = shifted_down(a, dropped - 2);  // the lowest two bits: a half, and whether there is more
  uint low = tail.low >> 2 | tail.high << 30, high = tail.high >> 2;
  if ((tail.low & 2u) != 0u && ((tail.low & 1u) != 0u || (low & 1u) != 0u)) {
    ++low;
    if (low == 0u) ++high;
  }
  return normalized(high, low, a.exponent + dropped);
}

Exact as_double(Exact a) { return rounded(a, kDoubleBits, kDoubleLeast); }

// The bits of the nearest float32.
uint float_bits(Exact a) {
  a = rounded(a, kFloatBits, kFloatLeast);
  if (is_nothing(a)) return 0u;
  int power = a.exponent + 63;  // of the highest bit
  if (power > 127) return kInfiniteBits;
  if (power < -126) return a.high >> (31 - (power - kFloatLeast));
  return uint(power + 127) << 23 | (a.high >> 8 & 0x007fffffu);
}

// The whole part, up to 2^20.
int whole_part(Exact a) {
  int power = a.exponent + 63;
  if (is_nothing(a) || power < 0) return 0;
  return power > 20 ? 1 << 20 : int(a.high >> (31 - power));
}

// Nothing has the least exponent here, which is no number's.
int order_of_exponent(Exact a) { return is_nothing(a) ? -0x7fffffff : a.exponent; }

bool is_less(Exact a, Exact b) {
  int m = order_of_exponent(a), n = order_of_exponent(b);
  if (m != n) return m < n;
  return a.high != b.high ? a.high < b.high : a.low < b.low;
}

void put_greater_first(inout Exact a, inout Exact b) {
  if (!is_less(a, b)) return;
  Exact greater = b;
  b = a;
  a = greater;
}

Exact sum_of(Exact a, Exact b) {
  put_greater_first(a, b);
  if (is_nothing(b)) return a;
  Exact more = shifted_down(a, 1), less = shifted_down(b, a.exponent - b.exponent + 1);
  uint carry;
  uint low = uaddCarry(more.low, less.low, carry);
  return normalized(more.high + less.high + carry, low, more.exponent);
}

// |a - b|.
Exact difference_of(Exact a, Exact b) {
  put_greater_first(a, b);
  if (is_nothing(b)) return a;
  Exact less = shifted_down(b, a.exponent - b.exponent);
  uint borrow;
  uint low = usubBorrow(a.low, less.low, borrow);
  return normalized(a.high - less.high - borrow, low, a.exponent);
}

// b is not 0.
Exact quotient_of(Exact a, Exact b) {
  if (is_nothing(a)) return a;
  Exact rest = shifted_down(a, 1), divisor = shifted_down(b, 1);
  uint high = 0u, low = 0u;
  for (uint i = 0u; i < 64u; ++i) {
    high = high << 1 | low >> 31;
    low <<= 1;
    if (rest.high > divisor.high || (rest.high == divisor.high && rest.low >= divisor.low)) {
      uint borrow;
      rest.low = usubBorrow(rest.low, divisor.low, borrow);
      rest.high = rest.high - divisor.high - borrow;
      low |= 1u;
    }
    rest.high = rest.high << 1 | rest.low >> 31;
    rest.low <<= 1;
  }
  return normalized(high, low | uint(!is_nothing(rest)), a.exponent - b.exponent - 63);
}
// SPDX-License-Identifier: Apache-2.0

// Integers of 64 bits as two words: products of 32 bits, sums, rounded shifts.
struct Wide {
  int high;
  uint low;
};

Wide product_of(int a, int b) {
  Wide result;
  int low;
  imulExtended(a, b, result.high, low);
  result.low = uint(low);
  return result;
}

Wide sum_of(Wide a, Wide b) {
  uint carry;
  uint low = uaddCarry(a.low, b.low, carry);
  return Wide(int(uint(a.high) + uint(b.high) + carry), low);
}

Wide negative_of(Wide a) {
  return Wide(int(~uint(a.high) + uint(a.low == 0u)), ~a.low + 1u);
}

// Downwards; n below 64.
Wide shifted_right(Wide a, uint n) {
  if (n >= 32u) return Wide(a.high >> 31, uint(a.high >> (n - 32u)));
  if (n == 0u) return a;
  return Wide(a.high >> n, (a.low >> n) | (uint(a.high) << (32u - n)));
}

// Whether any of the lowest n bits is set; n below 64.
bool has_bits_below(Wide a, uint n) {
  if (n > 32u) return a.low != 0u || (uint(a.high) << (64u - n)) != 0u;
  return n != 0u && (a.low << (32u - n)) != 0u;
}

int saturated(Wide a) {
  if (a.high != int(a.low) >> 31) return a.high < 0 ? -0x7fffffff - 1 : 0x7fffffff;
  return int(a.low);
}
// SPDX-License-Identifier: Apache-2.0

// Quotients and rests of int32 and float32 that are the CPU's to the bit: GLSL leaves negative ones,
// divisors of 0 and rests of large floats to the driver. To be included after numbers.glsl.

uint magnitude_of(int v) { return v < 0 ? 0u - uint(v) : uint(v); }

// Towards zero, wrapping; 0 for a divisor of 0.
int quotient_of(int a, int b) {
  if (b == 0) return 0;
  uint quotient = magnitude_of(a) / magnitude_of(b);
  return int((a < 0) != (b < 0) ? 0u - quotient : quotient);
}

// The rest of that, with the dividend's sign; 0 for a divisor of 0.
int truncated_rest(int a, int b) {
  if (b == 0) return 0;
  uint rest = magnitude_of(a) % magnitude_of(b);
  return int(a < 0 ? 0u - rest : rest);
}

// With the divisor's sign.
int floored_rest(int a, int b) {
  int rest = truncated_rest(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// As portable_fallback/shared/float_rest.h computes it.
float float_rest(float x, float y) {
  const uint kHidden = 0x00800000u, kInfinite = 0x7f800000u;
  uint sign = floatBitsToUint(x) & 0x80000000u;
  uint a = floatBitsToUint(x) & 0x7fffffffu;
  uint b = floatBitsToUint(y) & 0x7fffffffu;
  if (a >= kInfinite || b > kInfinite || b == 0u) return not_a_number();
  if (a < b) return x;
  uint least = max(b >> 23, 1u);
  uint left = max(a >> 23, 1u) - least;
  uint divisor = (b & (kHidden - 1u)) | (b >= kHidden ? kHidden : 0u);
  uint rest = ((a & (kHidden - 1u)) | (a >= kHidden ? kHidden : 0u)) % divisor;
  while (left != 0u) {
    uint shift = min(left, 8u);
    rest = (rest << shift) % divisor;
    left -= shift;
  }
  if (rest == 0u) return uintBitsToFloat(sign);
  uint up = uint(23 - findMSB(rest));
  if (up >= least) return uintBitsToFloat(sign | rest << (least - 1u));
  return uintBitsToFloat(sign | (((least - up) << 23) + ((rest << up) - kHidden)));
}
// SPDX-License-Identifier: Apache-2.0

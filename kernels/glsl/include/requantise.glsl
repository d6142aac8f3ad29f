// Requantisation as portable_fallback/requantise.h has it, to the bit. To be included after
// wide.glsl.

// Rounding of ops/attributes.h.
const uint kTfliteDouble = 0u, kTfliteSingle = 1u, kHalfEven = 2u;

const int kLowestInt = -0x7fffffff - 1;

// value / 2^exponent, rounded by kTfliteSingle or kHalfEven, saturating; exponent is not negative.
int scaled_down(Wide value, int exponent, uint rounding) {
  if (exponent > 63) return 0;
  if (exponent == 0) return saturated(value);
  Wide whole = shifted_right(value, uint(exponent));
  bool upper = (shifted_right(value, uint(exponent - 1)).low & 1u) != 0u;
  bool up = upper && (rounding == kTfliteSingle || (whole.low & 1u) != 0u ||
                     has_bits_below(value, uint(exponent - 1)));
  return saturated(up ? sum_of(whole, Wide(0, 1u)) : whole);
}

// The upper half of 2 * a * b, halves up.
int doubling_high_product(int a, int b) {
  if (a == kLowestInt && b == kLowestInt) return 0x7fffffff;
  Wide product = sum_of(product_of(a, b), Wide(0, 1u << 30));
  return int((uint(product.high) << 1) | (product.low >> 31));
}

// value / 2^exponent, halves away from zero; exponent up to 32.
int rounded_shift_away(int value, int exponent) {
  if (exponent == 0) return value;
  if (exponent > 31) return value == kLowestInt ? -1 : 0;
  uint mask = 0xffffffffu >> (32 - exponent);
  uint middle = (mask >> 1) + uint(value < 0);
  return (value >> exponent) + int((uint(value) & mask) > middle);
}

// value * 2^shift, saturating; shift from 0 to 31.
int saturated_shift_left(int value, int shift) {
  int shifted = int(uint(value) << shift);
  if (shifted >> shift == value) return shifted;
  return value < 0 ? kLowestInt : 0x7fffffff;
}

// sum * multiplier * 2^(shift - 31), rounded, saturating.
int requantised(int sum, int multiplier, int shift, uint rounding) {
  shift = clamp(shift, -63, 31);
  if (rounding != kTfliteDouble) {
    return scaled_down(product_of(sum, multiplier), 31 - shift, rounding);
  }
  int shifted = saturated_shift_left(sum, max(shift, 0));
  return rounded_shift_away(doubling_high_product(shifted, multiplier), clamp(-shift, 0, 32));
}

// What makes a number of the result's scale a result.
struct Limits {
  int zero_point, low, high;
};

int limited_result(int number, Limits limits) {
  int moved = int(uint(number) + uint(limits.zero_point));
  // Sums that leave 32 bits saturate.
  if (limits.zero_point >= 0 ? moved < number : moved > number) {
    moved = limits.zero_point >= 0 ? 0x7fffffff : kLowestInt;
  }
  return clamp(moved, limits.low, limits.high);
}

int finished(int sum, int multiplier, int shift, uint rounding, Limits limits) {
  return limited_result(requantised(sum, multiplier, shift, rounding), limits);
}
// SPDX-License-Identifier: Apache-2.0

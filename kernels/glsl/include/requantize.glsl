// Requantization as portable_fallback/shared/requantization.h has it, to the bit. To be included after
// parameters.glsl and wide.glsl. What is inlined many times returns at its end alone: early returns
// in loops cost SwiftShader minutes.
/* words
enum Rounding from ops/attributes.h
struct OutputWords
  int output_zero_point, low, high
*/

const int kLowestInt = -0x7fffffff - 1;

// The upper half of 2 * a * b, halves up.
int doubling_high_product(int a, int b) {
  Wide product = sum_of(product_of(a, b), Wide(0, 1u << 30));
  int high = int((uint(product.high) << 1) | (product.low >> 31));
  return a == kLowestInt && b == kLowestInt ? 0x7fffffff : high;
}

// value / 2^exponent, halves away from zero; exponent up to 32.
int rounded_shift_away(int value, int exponent) {
  int shift = clamp(exponent, 1, 31);
  uint mask = 0xffffffffu >> (32 - shift);
  uint middle = (mask >> 1) + uint(value < 0);
  int whole = (value >> shift) + int((uint(value) & mask) > middle);
  whole = exponent > 31 ? (value == kLowestInt ? -1 : 0) : whole;
  return exponent == 0 ? value : whole;
}

// value * 2^shift, saturating; shift from 0 to 31.
int saturated_shift_left(int value, int shift) {
  int shifted = int(uint(value) << shift);
  int limit = value < 0 ? kLowestInt : 0x7fffffff;
  return shifted >> shift == value ? shifted : limit;
}

// value / 2^exponent, halves to even with kHalfEven, else up, saturating; exponent is at least -31.
int scaled_down(Wide value, int exponent, uint rounding) {
  if (exponent > 63) return 0;
  if (exponent <= 0) return saturated_shift_left(saturated(value), -exponent);
  Wide whole = shifted_right(value, uint(exponent));
  bool upper = (shifted_right(value, uint(exponent - 1)).low & 1u) != 0u;
  bool up = upper && (rounding != kHalfEven || (whole.low & 1u) != 0u ||
                     has_bits_below(value, uint(exponent - 1)));
  return saturated(up ? sum_of(whole, Wide(0, 1u)) : whole);
}

// value / 2^bits, halves to even; 0 for bits beyond 31, value below 2^31 + 2^8.
uint halves_to_even(uint value, int bits) {
  if (bits <= 0) return value;
  if (bits > 31) return 0u;
  return (value + ((1u << (bits - 1)) - 1u) + (value >> bits & 1u)) >> bits;
}

// The bits of a number beyond the 24 of a float32.
int bits_too_many(uint value) { return max(findMSB(value) - 23, 0); }

// The same product in float32, rounded, halves to even, saturating; shift from -63 to 31, multiplier
// not negative.
int requantized_in_float32(int sum, int multiplier, int shift) {
  uint number = uint(abs(sum)), factor = uint(multiplier);
  int number_bits = bits_too_many(number), factor_bits = bits_too_many(factor);
  uint high, low;
  umulExtended(halves_to_even(number, number_bits), halves_to_even(factor, factor_bits), high, low);
  // The product has 49 bits at most, so `bits` is at most 25.
  int bits = high != 0u ? findMSB(high) + 9 : bits_too_many(low);
  uint product = low;
  if (bits > 0) {
    product = high << (32 - bits) | low >> bits;
    uint rest = low & ((1u << bits) - 1u), half_bit = 1u << (bits - 1);
    product += uint(rest > half_bit || (rest == half_bit && (product & 1u) != 0u));
  }
  int down = 31 - shift - number_bits - factor_bits - bits;
  int whole = down <= 0 ? saturated_shift_left(int(product), min(-down, 31)) : int(halves_to_even(product, down));
  if (sum >= 0) return whole;
  return whole == 0x7fffffff ? kLowestInt : -whole;
}

// Whether requantized_fast() has the result, whatever the sum.
bool is_fast(int multiplier, int shift, uint rounding) {
  if (rounding == kFloat32) return multiplier >= 0;
  return multiplier >= 0 && shift <= (rounding == kTfliteDouble ? 0 : -2) && shift >= -30;
}

// The same as requantized(), in few instructions.
int requantized_fast(int sum, int multiplier, int shift, uint rounding) {
  if (rounding == kFloat32) return requantized_in_float32(sum, multiplier, clamp(shift, -63, 31));
  Wide product = product_of(sum, multiplier);
  if (rounding == kTfliteDouble) {
    product = sum_of(product, Wide(0, 1u << 30));
    return rounded_shift_away(int((uint(product.high) << 1) | (product.low >> 31)), -shift);
  }
  // The whole part lies in the upper word, and with it the half.
  uint down = uint(-1 - shift), half_bit = 1u << (down - 1u);
  int whole = product.high >> down;
  uint rest = uint(product.high) & ((half_bit << 1) - 1u);
  bool even_tie = rounding == kHalfEven && rest == half_bit && product.low == 0u && (whole & 1) == 0;
  return whole + int(rest >= half_bit && !even_tie);
}

// sum * multiplier * 2^(shift - 31), rounded, saturating.
int requantized(int sum, int multiplier, int shift, uint rounding) {
  shift = clamp(shift, -63, 31);
  if (rounding == kFloat32) return requantized_in_float32(sum, multiplier, shift);
  if (rounding != kTfliteDouble) {
    return scaled_down(product_of(sum, multiplier), 31 - shift, rounding);
  }
  int shifted = saturated_shift_left(sum, max(shift, 0));
  return rounded_shift_away(doubling_high_product(shifted, multiplier), clamp(-shift, 0, 32));
}

// The same of sums of 64 bits, which saturate at 48: kHalfEven keeps the whole multiplier, the others
// round it to 16 bits.
int wide_requantized(Wide sum, int multiplier, int shift, uint rounding) {
  if (sum.high >= 0x8000) sum = Wide(0x7fff, 0xffffffffu);
  if (sum.high < -0x8000) sum = Wide(-0x8000, 0u);
  shift = clamp(shift, -63, 31);
  if (rounding != kHalfEven) {
    int reduced = multiplier < 0x7fff0000 ? (multiplier + (1 << 15)) >> 16 : 0x7fff;
    uint carried, low;
    umulExtended(sum.low, uint(reduced), carried, low);
    Wide product = Wide(int(uint(sum.high * reduced) + carried), low);
    return scaled_down(product, 15 - shift, kTfliteSingle);
  }
  // The product has up to 78 bits: high * 2^16 and the lower 16 of low.
  Wide low = product_of(int(sum.low & 0xffffu), multiplier);
  Wide high = sum_of(product_of(int(shifted_right(sum, 16u).low), multiplier), shifted_right(low, 16u));
  uint rest = low.low & 0xffffu;
  if (shift > 14) {
    int number = saturated(high);
    if (high.high != int(high.low) >> 31) return number;
    return scaled_down(Wide(number >> 16, uint(number) << 16 | rest), 31 - shift, kHalfEven);
  }
  // The lower bits lie behind the half: it only matters whether one of them is set.
  Wide doubled = Wide(int(uint(high.high) << 1 | high.low >> 31), high.low << 1 | uint(rest != 0u));
  return scaled_down(doubled, 16 - shift, kHalfEven);
}

// Turns a number of the result's scale into a result.
struct Limits {
  int zero_point, low, high;
};

// Those of the parameter block.
Limits output_limits() {
  return Limits(int(parameter(kOutputZeroPoint)), int(parameter(kLow)), int(parameter(kHigh)));
}

int limited_result(int number, Limits limits) {
  int moved = int(uint(number) + uint(limits.zero_point));
  // Sums that leave 32 bits saturate.
  if (limits.zero_point >= 0 ? moved < number : moved > number) {
    moved = limits.zero_point >= 0 ? 0x7fffffff : kLowestInt;
  }
  return clamp(moved, limits.low, limits.high);
}

int finished(int sum, int multiplier, int shift, uint rounding, Limits limits) {
  return limited_result(requantized(sum, multiplier, shift, rounding), limits);
}
// SPDX-License-Identifier: Apache-2.0

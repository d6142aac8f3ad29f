// Sums and differences of two quantized numbers, each of its own scale and zero point. Include this after
// parameters.glsl and requantize.glsl.
/* words
use requantize
enum SumKind from ops/attributes.h
struct ScaledSumWords
  int zero_points[2], multipliers[3], shifts[3]
  uint left_shift
  SumKind sum_kind
*/

int multiplier(uint i) { return int(parameter(kMultipliers + i)); }
int shift(uint i) { return int(parameter(kShifts + i)); }

// A number less the zero point of operand i.
int centered(int number, uint i) { return int(uint(number) - parameter(kZeroPoints + i)); }

// Computes the sum or difference of two numbers, from which their zero points were taken.
int sum_or_difference(int first, int second, uint rounding, Limits limits) {
  uint kind = parameter(kSumKind);
  bool subtract = kind != kSum;
  if (rounding == kHalfEven || rounding == kFloat32) {
    Wide subtrahend = product_of(second, multiplier(1u));
    Wide sum = sum_of(product_of(first, multiplier(0u)),
                      subtract ? negative_of(subtrahend) : subtrahend);
    return limited_result(scaled_down(sum, shift(2u), rounding), limits);
  }
  int left = int(parameter(kLeftShift));
  int m = requantized(saturated_shift_left(first, left), multiplier(0u), shift(0u), rounding);
  int n = requantized(saturated_shift_left(second, left), multiplier(1u), shift(1u), rounding);
  int sum = int(uint(m) + (subtract ? 0u - uint(n) : uint(n)));
  if (kind == kSquare) sum = sum * sum;
  return finished(sum, multiplier(2u), shift(2u), rounding, limits);
}

// Whether sum_of_bytes() has the sum or difference of bytes.
bool is_sum_of_bytes(uint rounding) {
  return (rounding == kHalfEven || rounding == kFloat32) && parameter(kSumKind) == kSum;
}

// The same as sum_or_difference() where is_sum_of_bytes(), in few instructions: the products of bytes and such
// multipliers, below 2^22, and their sum have 32 bits.
int sum_of_bytes(int first, int second, uint rounding, Limits limits) {
  int sum = first * multiplier(0u) + second * multiplier(1u), down = shift(2u);
  if (down > 31) return limited_result(0, limits);
  if (down == 0) return limited_result(sum, limits);
  int whole = sum >> down;
  uint rest = uint(sum) & ((1u << down) - 1u), middle = 1u << (down - 1);
  bool up = rest > middle || (rest == middle && (rounding != kHalfEven || (whole & 1) != 0));
  return limited_result(whole + int(up), limits);
}
// SPDX-License-Identifier: Apache-2.0

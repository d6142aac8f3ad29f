// What kernels of integer products are given to make results of 8 bits of their sums.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace arenite {

// Outputs that training left without use have tiny weights beside their biases: they are looked for
// among the first 32 * kConstantWords.
inline constexpr uint32_t kConstantWords = 8;

struct IntegerResults {
  // Of each output, or with a step of 0 one for all.
  const int32_t* bias;
  const int32_t* multipliers;
  const int8_t* shifts;
  size_t bias_step, factor_step;  // elements; multipliers and shifts have the same
  int32_t zero_point, low, high;
  // Results are rounded as kTfliteDouble; the sums of an output whose bias is below
  // `small_bias_end` in magnitude are below 2^30.
  bool rounds_twice;
  // Results are rounded once, of sums times a multiplier that are divided by 2^32 to 2^62: halves
  // to even, or up. find_single_roundings() says so.
  bool halves_to_even, halves_up;
  bool raises;  // some of those are divided by less unless their sums are raised first: raised_by()
  uint32_t small_bias_end;
  // A bit for each of the first outputs: it has the same result for any x, that of its bias.
  uint32_t constant[kConstantWords];
  bool has_constant;  // whether one is set
  // All other outputs are small (is_small()), and results are of the whole range of int8.
  bool small;
  bool in_float32;  // results are rounded as kFloat32
  // Halves are to go to even, and there may be some (may_halve()): the bits of the greatest sum of
  // products. Else 0.
  uint8_t halves_bits;
  uint32_t rounding;
  // The result of a sum of any other rounding, or of a factor of 1/2 and more: kernels see no such
  // code. For kernels of dot products, null: results are the sums with their biases, of int32.
  int32_t (*finish)(const IntegerResults& results, int32_t sum, int32_t multiplier, int32_t shift);
};

namespace {

// The greatest divisor of a small output, 2^kSmallShiftMax: twice a zero point times half of it is
// below 2^30.
constexpr int32_t kSmallShiftMax = 22;

// Whether the sums of an output are below 2^30, and its factor is below 1/2 and not tiny.
inline bool is_small(const IntegerResults& results, uint32_t output) {
  const int32_t bias = results.bias[output * results.bias_step];
  const int32_t shift = results.shifts[output * results.factor_step];
  return static_cast<uint32_t>(bias ^ (bias >> 31)) < results.small_bias_end &&
         static_cast<uint32_t>(~shift) < static_cast<uint32_t>(kSmallShiftMax);
}

// The most that doubled weights are raised, less than 512 in magnitude.
constexpr int32_t kRaisedMax = 6;

// The power of two by which a sum is multiplied so that a product with it is divided by 2^32 or
// more, as all others are; the sum fits.
constexpr int32_t raised_by(int32_t shift) { return shift < 0 ? 0 : shift + 1; }

// Bits 0 and 1: whether this output, an even one, and the next are constant.
inline uint32_t constant_pair(const IntegerResults& results, uint32_t output) {
  if (output >= 32 * kConstantWords) return 0;
  return results.constant[output / 32] >> output % 32 & 3;
}

// Whether a sum of so many bits of products can have a product halfway between two results, which
// has 30 - shift zeros behind its last 1: as many as both factors together. A sum has fewer than
// bits.
inline bool may_halve(const IntegerResults& results, uint32_t output, int32_t product_bits) {
  const auto multiplier = static_cast<uint32_t>(results.multipliers[output * results.factor_step]);
  if (multiplier == 0) return false;
  const int32_t bias = results.bias[output * results.bias_step];
  const auto bias_bits =
      static_cast<int32_t>(std::bit_width(static_cast<uint32_t>(bias ^ (bias >> 31))));
  // A magnitude that is below the greater power of two, doubled.
  const int32_t zeros =
      std::countr_zero(multiplier) + (bias_bits > product_bits ? bias_bits : product_bits);
  return zeros >= 30 - results.shifts[output * results.factor_step];
}

// Whether one of some outputs may have halves that go to even. All others round the same way to
// even as up.
inline bool any_halves(const IntegerResults& results, uint32_t output, uint32_t count) {
  if (results.halves_bits == 0) return false;
  for (const uint32_t end = output + count; output != end; ++output) {
    if (may_halve(results, output, results.halves_bits)) return true;
  }
  return false;
}

// A bit for each of an output that is a multiple of four and the next three: whether it is
// constant.
inline uint32_t constant_four(const IntegerResults& results, uint32_t output) {
  if (output >= 32 * kConstantWords) return 0;
  return results.constant[output / 32] >> output % 32 & 0xf;
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

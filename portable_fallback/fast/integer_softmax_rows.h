// Softmax in fixed point: exponentials of a block of elements, the reciprocals of their sums, then
// shares.
//
// The functions are gemmlowp's, as shared/fixed_point.h has them. Numbers in [-1, 1) have 31
// fraction bits; a product is the upper half of twice the 64 bits, rounded, halves up.
#pragma once

#include "portable_fallback/fast/integer_softmax.h"

namespace arenite {
namespace {

constexpr int32_t kOneOfNone = INT32_MAX;      // 1 without integer bits, nearly
constexpr int32_t kExpOfEighth = 1895147668;   // e^(-1/8)
constexpr int32_t kThird = 715827883;          // 1 / 3
constexpr int32_t kQuarterOfFive = 1 << 24;    // 1 / 4 with 5 integer bits
constexpr int32_t kNewtonFirst = 1515870810;   // 48 / 17 with 2 integer bits
constexpr int32_t kNewtonSlope = -1010580540;  // -32 / 17 with 2 integer bits
// e^(-2^k), k from -2 on.
constexpr int32_t kPowersOfE[] = {1672461947, 1302514674, 790015084, 290630308,
                                  39332535,   720401,     242};

// A sum as 1 + x with 12 integer bits, times a power of two; it is at least 2^19, which is 1.
inline uint32_t leading_zeros(uint32_t sum) { return static_cast<uint32_t>(__builtin_clz(sum)); }
inline uint32_t normalized(uint32_t sum) { return (sum << leading_zeros(sum)) - (1u << 31); }
// A share is the product of an exponential and the reciprocal of that, with 8 bits, shifted by
// this.
inline uint32_t shift_of_share(uint32_t sum) { return 12 + 31 - 8 - leading_zeros(sum); }

struct ScalarSoftmax {
  explicit ScalarSoftmax(const IntegerSoftmax& softmax)
      : factor(softmax.factor), diff_min(softmax.diff_min) {}

  static int32_t product(int32_t a, int32_t b) {
    return static_cast<int32_t>((int64_t{a} * b + (int64_t{1} << 30)) >> 31);
  }
  // The same of a factor below 1/2.
  static int32_t product_of_small(int32_t a, int32_t small) {
    return dsp::high_product(a, 2 * small);
  }

  // e^x, x in [-1/4, 0): four terms of the series about -1/8.
  static int32_t exp_below_zero(int32_t x) {
    const int32_t d = x + (1 << 28);
    const int32_t d2 = product_of_small(d, d);
    const int32_t d3 = product_of_small(d2, d);
    const int32_t d4 = product_of_small(d2, d2);
    const int32_t cubes = product_of_small(kThird, ((d4 + 2) >> 2) + d3);
    const int32_t squares = cubes + d2;
    const int32_t terms = d + ((squares + 1 + (squares >> 31)) >> 1);
    return kExpOfEighth + product_of_small(kExpOfEighth, terms);
  }

  // e^d of a difference.
  int32_t exp(int32_t difference) const {
    if (difference < diff_min) return 0;
    const int32_t x = factor(difference);
    if (x == 0) return kOneOfNone;
    // x is a rest in [-1/4, 0) less whole quarters, whose powers of e are multiplied bit by bit.
    const int32_t rest = (x & (kQuarterOfFive - 1)) - kQuarterOfFive;
    const auto quarters = static_cast<uint32_t>(rest) - static_cast<uint32_t>(x);
    int32_t result = exp_below_zero(rest * 32);
    // Factors above 1/2 are 1 less another one.
    constexpr auto kLess0 = static_cast<int32_t>(0 - 2 * static_cast<uint32_t>(kPowersOfE[0]));
    constexpr auto kLess1 = static_cast<int32_t>(0 - 2 * static_cast<uint32_t>(kPowersOfE[1]));
    if ((quarters >> 24 & 1) != 0) result = dsp::subtract_high_product(result, kLess0, result);
    if ((quarters >> 25 & 1) != 0) result = dsp::subtract_high_product(result, kLess1, result);
    for (uint32_t k = 2; k < 7; ++k) {
      if ((quarters >> (24 + k) & 1) != 0) result = product_of_small(result, kPowersOfE[k]);
    }
    return result;
  }

  [[gnu::noinline]] void exps(int32_t* numbers, uint32_t count) const {
    for (; count != 0; --count, ++numbers) *numbers = exp(*numbers);
  }

  // 1 / (1 + x) for x in [0, 1): three steps of Newton's.
  static int32_t one_over_one_plus(uint32_t x) {
    const auto d = static_cast<int32_t>((x >> 1) + (1u << 30));
    int32_t y = kNewtonFirst + product_of_small(d, kNewtonSlope);
    for (uint32_t i = 0; i < 3; ++i) {
      y += 4 * product_of_small(y, (1 << 29) - product(d, y));
    }
    return y >= 1 << 30 ? kOneOfNone : 2 * y;
  }

  // Makes reciprocals of normalized numbers.
  static void reciprocals(uint32_t* numbers, uint32_t count) {
    for (; count != 0; --count, ++numbers) {
      *numbers = static_cast<uint32_t>(one_over_one_plus(*numbers));
    }
  }

  TwiceRounded factor;
  int32_t diff_min;
};

// An exponential's part in a sum, with 12 integer bits.
inline uint32_t summand(int32_t exp) { return (static_cast<uint32_t>(exp) + (1u << 11)) >> 12; }

inline uint8_t greatest_of(Src<uint8_t> x, ptrdiff_t step, uint32_t count, uint8_t flip) {
  uint32_t most = 0;
  for (; count != 0; --count, x += step) {
    const uint32_t number = *x ^ uint32_t { flip };
    most = number > most ? number : most;
  }
  return static_cast<uint8_t>(most);
}

// The exponentials of elements [first, first + count) of all rows.
template <typename Functions>
[[gnu::noinline]] void make_exps(const Functions& functions, const SoftmaxRows& rows,
                                 const uint8_t* most, uint8_t flip, uint32_t first, uint32_t count,
                                 int32_t* exps) {
  int32_t* to = exps;
  Src<uint8_t> row = rows.x + static_cast<ptrdiff_t>(first) * rows.x_step;
  for (uint32_t r = 0; r < rows.rows; ++r, row += rows.x_row) {
    Src<uint8_t> x = row;
    for (uint32_t i = count; i != 0; --i, x += rows.x_step) *to++ = (*x ^ flip) - most[r];
  }
  functions.exps(exps, rows.rows * count);
}

// Adds up exponentials' parts, saturating: as many as are kept have less than 32 bits.
inline uint32_t with_summands(uint32_t sum, const int32_t* exps, uint32_t count) {
  static_assert(kSoftmaxAtOnce < 1 << 12);
  uint32_t added = 0;
  for (const int32_t* const end = exps + count; exps != end;) added += summand(*exps++);
  return added < UINT32_MAX - sum ? sum + added : UINT32_MAX;
}

// Makes the results of exponentials of a row.
struct RowShares {
  [[gnu::noinline]] void put(const int32_t* exps, uint32_t count, Dst<uint8_t> y) const {
    // Copies: what is written could be the shares' own bytes. Beyond 31 bits a share is 0.
    const int32_t by = shift > 31 ? 0 : reciprocal;
    const uint32_t down = shift > 31 ? 1 : shift;
    const uint32_t half = 1u << (down - 1);
    const int32_t least = low, greatest = high, moved = zero_point;
    const ptrdiff_t step = y_step;
    for (const int32_t* const end = exps + count; exps != end; y += step) {
      const auto whole = static_cast<uint32_t>(ScalarSoftmax::product(by, *exps++));
      const auto share = static_cast<int32_t>((whole + half) >> down);
      *y = static_cast<uint8_t>(limited_number(share, least, greatest) + moved);
    }
  }

  int32_t zero_point, low, high;
  ptrdiff_t y_step;
  int32_t reciprocal;  // of the row's sum
  uint32_t shift;
};

// Rows that are kept as a whole are read once; a longer one is alone, and read again for its
// shares.
template <typename Functions, typename Softmax = IntegerSoftmax>
inline void softmax_rows(const Softmax& softmax, const SoftmaxRows& rows) {
  const Functions functions(softmax);
  const auto flip = static_cast<uint8_t>(softmax.flip);
  RowShares shares = {softmax.zero_point,
                      softmax.low - softmax.zero_point,
                      softmax.high - softmax.zero_point,
                      rows.y_step,
                      0,
                      0};
  const bool kept = rows.count <= kSoftmaxAtOnce;
  const uint32_t at_once = kept ? rows.count : kSoftmaxAtOnce;
  const auto part_of = [&](uint32_t first) {
    return rows.count - first < at_once ? rows.count - first : at_once;
  };
  int32_t exps[kSoftmaxAtOnce];
  uint32_t sums[kSoftmaxAtOnce];
  uint8_t most[kSoftmaxAtOnce], shifts[kSoftmaxAtOnce];
  Src<uint8_t> x = rows.x;
  for (uint32_t r = 0; r < rows.rows; ++r, x += rows.x_row) {
    most[r] = greatest_of(x, rows.x_step, rows.count, flip);
    sums[r] = 0;
  }
  for (uint32_t first = 0; first < rows.count; first += at_once) {
    const uint32_t part = part_of(first);
    make_exps(functions, rows, most, flip, first, part, exps);
    const int32_t* from = exps;
    for (uint32_t r = 0; r < rows.rows; ++r, from += part) {
      sums[r] = with_summands(sums[r], from, part);
    }
  }
  for (uint32_t r = 0; r < rows.rows; ++r) {
    shifts[r] = static_cast<uint8_t>(shift_of_share(sums[r]));
    sums[r] = normalized(sums[r]);
  }
  functions.reciprocals(sums, rows.rows);
  for (uint32_t first = 0; first < rows.count; first += at_once) {
    const uint32_t part = part_of(first);
    if (!kept) make_exps(functions, rows, most, flip, first, part, exps);
    const int32_t* from = exps;
    Dst<uint8_t> y = rows.y + static_cast<ptrdiff_t>(first) * rows.y_step;
    for (uint32_t r = 0; r < rows.rows; ++r, y += rows.y_row, from += part) {
      shares.reciprocal = static_cast<int32_t>(sums[r]);
      shares.shift = shifts[r];
      shares.put(from, part, y);
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

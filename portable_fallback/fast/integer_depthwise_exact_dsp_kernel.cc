// Computes depthwise products by the loops of integer_depthwise_dsp.h, four results a word.
#include "portable_fallback/fast/integer_depthwise_exact_dsp_kernel.h"

#include "portable_fallback/fast/integer_depthwise_dsp.h"

namespace arenite {
namespace {

// Puts a byte into a word, from bit kAt on.
template <uint32_t kAt>
inline void insert_byte(uint32_t& word, int32_t byte) {
#if defined(__ARM_FEATURE_DSP)
  asm("bfi %0, %1, %2, #8" : "+r"(word) : "r"(byte), "i"(kAt));
#else
  word = (word & ~(0xffu << kAt)) | (static_cast<uint32_t>(byte) & 0xff) << kAt;
#endif
}

// The greater, or the lesser, of each pair of bytes of int8.
inline uint32_t greater_bytes(uint32_t a, uint32_t b) {
#if defined(__ARM_FEATURE_DSP)
  uint32_t greater;
  asm("ssub8 %0, %1, %2\n\tsel %0, %1, %2" : "=&r"(greater) : "r"(a), "r"(b));
  return greater;
#else
  uint32_t greater = 0;
  for (uint32_t i = 0; i < 32; i += 8) {
    const auto first = static_cast<int8_t>(a >> i), second = static_cast<int8_t>(b >> i);
    greater |= static_cast<uint32_t>(static_cast<uint8_t>(first > second ? first : second)) << i;
  }
  return greater;
#endif
}
inline uint32_t lesser_bytes(uint32_t a, uint32_t b) { return ~greater_bytes(~a, ~b); }

constexpr uint32_t kEachByte = 0x01010101;

// Makes the results of a place. Factors are those of small results, whose added numbers hold half
// of the divisor: the upper word of a product is divided, halves up. Halves to even are one lower
// where that is odd: a half has no bits left below the result, in the lower word first of all.
struct ExactColumns {
  ExactColumns(const IntegerResults& results, uint32_t column, const Columns& of)
      : columns(of),
        halves(any_halves(results, column, kColumns)),
        is_unsigned(results.high > 127),
        low(static_cast<uint8_t>(results.low) * kEachByte ^ flip()),
        high(static_cast<uint8_t>(results.high) * kEachByte ^ flip()),
        limits(low != 0x80 * kEachByte || high != 0x7f * kEachByte),
        zero_point(results.zero_point) {}

  // uint8 are made as int8, 128 lower.
  uint32_t flip() const { return is_unsigned ? 0x80 * kEachByte : 0; }

  static int32_t result(int32_t sum, const SmallFactor& factor) {
    return dsp::saturated_half(dsp::add_high_half(sum, factor.multiplier, factor.added) >>
                               factor.before);
  }

  // The same where it may be a half, which goes to even.
  int32_t even_result(int32_t sum, const SmallFactor& factor) const {
    const int64_t product = int64_t{sum} * factor.multiplier;
    const int32_t upper = static_cast<int32_t>(product >> 32) + factor.added;
    int32_t doubled = upper >> factor.before;  // not rounded down yet
    if (static_cast<uint32_t>(product) == 0 && doubled << factor.before == upper &&
        (doubled & 1) == 0) {
      doubled -= 2 * ((doubled >> 1 ^ zero_point) & 1);
    }
    return dsp::saturated_half(doubled);
  }
  [[gnu::noinline]] uint32_t even_word(const int32_t* sums) const {
    uint32_t word = 0;
    for (uint32_t j = 0; j < kColumns; ++j) {
      const int32_t number = even_result(sums[j], columns.factors[j]);
      word |= (static_cast<uint32_t>(number) & 0xff) << 8 * j;
    }
    return word;
  }

  [[gnu::always_inline]] void put(const int32_t (&sums)[kColumns], Dst<int8_t> y) const {
    uint32_t word;
    if (halves) [[unlikely]] {
      word = even_word(sums);
    } else {
      word = static_cast<uint32_t>(result(sums[0], columns.factors[0]));
      insert_byte<8>(word, result(sums[1], columns.factors[1]));
      insert_byte<16>(word, result(sums[2], columns.factors[2]));
      insert_byte<24>(word, result(sums[3], columns.factors[3]));
    }
    if (limits) word = lesser_bytes(greater_bytes(word, low), high);
    word ^= flip();
    arenite::put<int8_t>(y, static_cast<const int8_t*>(static_cast<const void*>(&word)), kColumns);
  }

  const Columns& columns;
  bool halves, is_unsigned;
  uint32_t low, high;  // of int8, in each byte
  bool limits;
  int32_t zero_point;
};

// Raises the weights and the biases of columns whose factors are 1/2 and more.
[[gnu::cold, gnu::noinline]] void raise_columns(const IntegerProducts& p, uint32_t column,
                                                Columns& to) {
  const uint32_t constant = p.results.has_constant ? constant_four(p.results, column) : 0;
  const int8_t* shift = p.results.shifts + column * p.results.factor_step;
  for (uint32_t j = 0; j < kColumns; ++j, shift += p.results.factor_step) {
    const int32_t raised = raised_by(*shift);
    if (raised == 0 || (constant >> j & 1) != 0) continue;
    to.biases[j] = static_cast<int32_t>(static_cast<uint32_t>(to.biases[j]) << raised);
    for (uint32_t i = 0; i < taps_of(p); ++i) {
      uint32_t& pair = to.taps[i][j % 2];
      pair = j < 2 ? dsp::pair_of(dsp::lower(pair) * (1 << raised), dsp::upper(pair))
                   : dsp::pair_of(dsp::lower(pair), dsp::upper(pair) * (1 << raised));
    }
  }
}

[[gnu::noinline]] void prepare_exact(const DspDepthwise& d, uint32_t column, Columns& to) {
  const IntegerResults& results = d.products.results;
  prepare<true, true>(d, column, kColumns, to);
  if (results.raises) raise_columns(d.products, column, to);
  if (results.high <= 127) return;
  for (SmallFactor& factor : to.factors) factor.added -= 256 << factor.before;
}

// Apart from pairs of places, for whose loop too few registers would be left.
[[gnu::noinline]] void compute_ones(const IntegerProducts& p, const ExactColumns& results,
                                    const Places& places) {
  const ExactColumns own = results;
  const Tap* const taps = own.columns.taps;
  const uint32_t count = taps_of(p);
  const size_t y_w = p.y_w;
  const size_t x_step = size_t{p.stride_w} * p.kernel_h;
  const uint32_t* x = places.x;
  Dst<int8_t> y = places.y;
  int32_t sums[kColumns];
  for (uint32_t left = places.left; left != 0; --left, x += x_step, y += y_w) {
    begin(own.columns, sums);
    if (count == kSide * kSide) {
#pragma GCC unroll 9
      for (uint32_t i = 0; i < kSide * kSide; ++i) add_tap(x[i], taps[i], sums);
    } else {
      add_one_place(x, taps, count, sums);
    }
    own.put(sums, y);
  }
}

[[gnu::noinline]] void compute_exact(const IntegerProducts& p, const Columns& columns,
                                     uint32_t column, Dst<int8_t> y) {
  const ExactColumns results(p.results, column, columns);
  const size_t y_w = p.y_w;
  const uint32_t* x = p.rows;
  uint32_t left = p.out_w;
  if (p.stride_w == 1 && p.kernel_h == kSide && p.kernel_w == kSide) {
    for (; left >= 2; left -= 2, x += 2 * kSide, y += 2 * y_w) {
      int32_t a[kColumns], b[kColumns];
      begin(columns, a);
      begin(columns, b);
      add_two_places(x, columns.taps, a, b);
      results.put(a, y);
      results.put(b, y + y_w);
    }
  }
  if (left != 0) compute_ones(p, results, {x, left, y});
}

}  // namespace

void add_depthwise_exact_dsp(const DspDepthwise& d, uint32_t line) {
  compute_columns<true>(d, line, d.products.results.small,
                        [&](Columns& columns, uint32_t column, Dst<int8_t> y) {
                          prepare_exact(d, column, columns);
                          compute_exact(d.products, columns, column, y);
                        });
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

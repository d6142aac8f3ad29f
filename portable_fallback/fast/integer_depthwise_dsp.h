// Adds the products of depthwise windows, four columns of a line at a time:
//
//   rows   c0 c1 c2 c3 of lines 0, 1, ... of pixel 0 | of pixel 1 | ...     bytes
//   taps   w0 w2 | w1 w3 of each tap, column by column of the window         pairs
//
// 1. The weights of four columns become pairs, and the zero point of x, where the biases lack it,
//    becomes a part of them: bias + added * sum(w).
// 2. The lines of x are copied, so that a window is words that follow each other. What lies beside
// x
//    is filled in, once for all columns.
// 3. Each word becomes two pairs, whose numbers are multiplied one by one. Of windows of 3 by 3 two
//    neighboring places read a tap's weights once.
#pragma once

#include "portable_fallback/fast/integer_depthwise_dsp_kernel.h"
#include "portable_fallback/fast/integer_finish_dsp.h"
#include "portable_fallback/fast/integer_finish_once_dsp.h"

namespace arenite {
namespace {

constexpr uint32_t kColumns = 4;  // in a word
constexpr uint32_t kSide = 3;     // of the windows that two places share

// Up to four neighboring bytes as a word.
[[gnu::cold, gnu::noinline]] uint32_t load_some(Src<std::byte> from, uint32_t count) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < count; ++i) word |= static_cast<uint32_t>(from[i]) << 8 * i;
  return word;
}
inline uint32_t load_columns(Src<std::byte> from, uint32_t count) {
  if (count != kColumns) [[unlikely]]
    return load_some(from, count);
  uint32_t word;
  take<std::byte>(static_cast<std::byte*>(static_cast<void*>(&word)), from, kColumns);
  return word;
}

// The weights of a tap: of columns 0 and 2, 1 and 3.
using Tap = uint32_t[2];

// Four columns need these besides x.
struct Columns {
  Tap* taps;
  int32_t biases[kColumns] = {};
  SmallFactor factors[kColumns];
};

inline uint32_t taps_of(const IntegerProducts& p) { return p.kernel_h * p.kernel_w; }

// What the zero point of x adds to the biases. A planner folds it into them.
[[gnu::noinline]] void add_zero_point(const IntegerProducts& p, Columns& to) {
  for (uint32_t j = 0; j < kColumns; ++j) {
    int32_t sum = 0;
    for (uint32_t i = 0; i < taps_of(p); ++i) {
      const uint32_t pair = to.taps[i][j % 2];
      sum += j / 2 == 0 ? dsp::lower(pair) : dsp::upper(pair);
    }
    const uint32_t added = static_cast<uint32_t>(p.added) * static_cast<uint32_t>(sum);
    to.biases[j] = static_cast<int32_t>(static_cast<uint32_t>(to.biases[j]) + added);
  }
}

// Makes a factor of 0 of each column of four that has the same result for any x: what is left is
// its zero point, which becomes that result.
[[gnu::cold, gnu::noinline]] void set_constants(const IntegerResults& results, uint32_t column,
                                                Columns& to) {
  uint32_t constant = constant_four(results, column);
  for (uint32_t j = 0; constant != 0; ++j, constant >>= 1) {
    if ((constant & 1) != 0) {
      to.factors[j] = SmallFactor(0, -1, 2 * result_of_bias_dsp(results, column + j) + 1);
    }
  }
}

// kExact: weights and biases are doubled, and shifts may be 0 and more, of which the factor leaves
// out what exceeds -1.
template <bool kExact, bool kHasFactors>
inline void prepare(const DspDepthwise& d, uint32_t column, uint32_t count, Columns& to) {
  const IntegerProducts& p = d.products;
  const size_t w_h = d.w_h, w_w = d.w_w;
  const uint32_t less_zero_point = dsp::pair_of(-p.w_zero_point, -p.w_zero_point);
  Src<std::byte> taps = as<std::byte>(p.w) + column;
  Tap* put = to.taps;
  for (uint32_t w = p.kernel_w; w != 0; --w, taps += w_w) {
    Src<std::byte> tap = taps;
    for (uint32_t h = p.kernel_h; h != 0; --h, tap += w_h) {
      const uint32_t word = load_columns(tap, count);
      const uint32_t even = dsp::add_even_bytes(less_zero_point, word);
      const uint32_t odd = dsp::add_odd_bytes(less_zero_point, word);
      if constexpr (kExact) {
        dsp::put_words(put, dsp::add_pairs(even, even), dsp::add_pairs(odd, odd));
      } else {
        dsp::put_words(put, even, odd);
      }
    }
  }
  const IntegerResults& results = p.results;
  const size_t bias_step = results.bias_step, factor_step = results.factor_step;
  const int32_t* bias = results.bias + column * bias_step;
  const int32_t* multiplier = results.multipliers + column * factor_step;
  const int8_t* shift = results.shifts + column * factor_step;
  const int32_t centre = 2 * results.zero_point + 1;
  for (uint32_t j = 0; j < count; ++j) {
    to.biases[j] = kExact ? dsp::doubled(*bias) : *bias;
    if (kHasFactors && results.small) {
      int8_t by = *shift;
      if (kExact) by = by > -1 ? int8_t{-1} : by < -32 ? int8_t{-32} : by;
      to.factors[j] = SmallFactor(*multiplier, by, centre);
    }
    bias += bias_step;
    multiplier += factor_step;
    shift += factor_step;
  }
  if (p.added != 0) add_zero_point(p, to);
  if (kHasFactors && results.small && results.has_constant) set_constants(results, column, to);
}

// Results that are rounded once take no factors here, and shifts of theirs need not divide.
template <bool kOnce>
[[gnu::noinline]] void prepare_columns(const DspDepthwise& d, uint32_t column, uint32_t count,
                                       Columns& to) {
  prepare<false, !kOnce>(d, column, count, to);
}

// The pixels of x that a line of y reads.
struct Pixels {
  uint32_t begin, end;   // those inside, of all
  uint32_t line, lines;  // the first line of the window that is inside, and how many are
  Src<std::byte> from;   // column 0 of the first one inside
  size_t line_step;
};

// Finds them, and fills in what lies beside x: all, of which copies overwrite what is inside.
[[gnu::noinline]] Pixels find_pixels(const IntegerProducts& p, uint32_t line) {
  const uint32_t count = dsp_depthwise_pixels(p.out_w, p.stride_w, p.kernel_w);
  const uint32_t outside = static_cast<uint8_t>(p.outside - p.added) * 0x01010101u;
  uint32_t* const rows = p.rows;
  for (uint32_t i = count * p.kernel_h; i != 0;) rows[--i] = outside;
  Pixels pixels = {};
  pixels.begin = p.pad_w < count ? p.pad_w : count;
  pixels.end = p.in_w + p.pad_w < count ? p.in_w + p.pad_w : count;
  pixels.from = p.x;
  pixels.line_step = p.dilation_h * p.x_h;
  if (pixels.end <= pixels.begin) return pixels;
  uint32_t ih = line * p.stride_h - p.pad_h;
  for (uint32_t h = 0; h < p.kernel_h; ++h, ih += p.dilation_h) {
    if (ih >= p.in_h) continue;
    if (pixels.lines++ == 0) {
      pixels.line = h;
      pixels.from = p.x + (ih * p.x_h + (pixels.begin - p.pad_w) * p.x_w);
    }
  }
  return pixels;
}

// kFlips: x may be uint8, which becomes int8, in the loop for windows of three lines.
template <bool kFlips>
[[gnu::noinline]] void copy_pixels(const DspDepthwise& d, const Pixels& pixels, uint32_t column,
                                   uint32_t count) {
  const IntegerProducts& p = d.products;
  const size_t x_w = p.x_w;
  const uint32_t kernel_h = p.kernel_h;
  const uint32_t sharers = d.columns_of_channel;
  uint32_t* const first = p.rows + pixels.begin * kernel_h;
  uint32_t* const end = p.rows + pixels.end * kernel_h;
  const uint32_t channel = column / sharers;
  Src<std::byte> line = pixels.from + channel;
  const bool whole = count == kColumns && sharers == 1;
  if (whole && pixels.lines == kSide && kernel_h == kSide && (kFlips || p.flip == 0)) {
    const uint32_t flip = kFlips ? p.flip : 0;
    Src<std::byte> x0 = line;
    Src<std::byte> x1 = x0 + pixels.line_step;
    Src<std::byte> x2 = x1 + pixels.line_step;
    for (uint32_t* to = first; to != end; to += kSide) {
      to[0] = load_columns(x0, kColumns) ^ flip;
      to[1] = load_columns(x1, kColumns) ^ flip;
      to[2] = load_columns(x2, kColumns) ^ flip;
      x0 += x_w;
      x1 += x_w;
      x2 += x_w;
    }
    return;
  }
  // How far behind the first column's channel those of the others lie; of such that are none, where
  // it lies itself.
  const uint32_t before = column - channel * sharers;
  const auto behind = [&](uint32_t j) __attribute__((always_inline)) {
    return (before + (j < count ? j : 0)) / sharers;
  };
  const uint32_t second = behind(1), third = behind(2), fourth = behind(3);
  const uint32_t flip = p.flip;
  uint32_t* to_line = first + pixels.line;
  for (uint32_t i = pixels.lines; i != 0; --i, line += pixels.line_step, ++to_line) {
    Src<std::byte> x = line;
    for (uint32_t* to = to_line; to < end; to += kernel_h, x += x_w) {
      uint32_t word;
      if (whole) [[likely]] {
        word = load_columns(x, kColumns);
      } else {
        word = static_cast<uint32_t>(x[0]) | static_cast<uint32_t>(x[second]) << 8 |
               static_cast<uint32_t>(x[third]) << 16 | static_cast<uint32_t>(x[fourth]) << 24;
      }
      *to = word ^ flip;
    }
  }
}

// Adds the products of a word of x and a tap.
[[gnu::always_inline]] inline void add_tap(uint32_t word, const Tap& tap,
                                           int32_t (&sums)[kColumns]) {
  const uint32_t even = dsp::even_bytes(word);
  const uint32_t odd = dsp::odd_bytes(word);
  const uint32_t w0 = tap[0], w1 = tap[1];
  dsp::add_lower_product(even, w0, sums[0]);
  dsp::add_lower_product(odd, w1, sums[1]);
  dsp::add_upper_product(even, w0, sums[2]);
  dsp::add_upper_product(odd, w1, sums[3]);
}

// Adds the products of the place whose window begins at x.
[[gnu::always_inline]] inline void add_one_place(const uint32_t* x, const Tap* taps, uint32_t count,
                                                 int32_t (&sums)[kColumns]) {
  for (; count != 0; --count) add_tap(*x++, *taps++, sums);
}

// The same of that place and its neighbor, one pixel on, of windows of 3 by 3. Eight sums, two
// pairs of x and of w and both pointers take all 14 registers.
[[gnu::always_inline]] inline void add_two_places(const uint32_t* x, const Tap* taps,
                                                  int32_t (&a)[kColumns], int32_t (&b)[kColumns]) {
#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__)
  int32_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
  int32_t b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
  uint32_t even, odd, w0, w1;
  const Tap* const end = taps + kSide;
#define ARENITE_PIXEL(at)      \
  "ldr %[odd], [%[x]" at       \
  "\n\t"                       \
  "sxtb16 %[even], %[odd]\n\t" \
  "sxtb16 %[odd], %[odd], ror #8\n\t"
#define ARENITE_TAP(at) "ldrd %[w0], %[w1], [%[taps]" at "\n\t"
#define ARENITE_ADD(to)                      \
  "smlabb %[" to "0], %[even], %[w0], %[" to \
  "0]\n\t"                                   \
  "smlabb %[" to "1], %[odd], %[w1], %[" to  \
  "1]\n\t"                                   \
  "smlatt %[" to "2], %[even], %[w0], %[" to \
  "2]\n\t"                                   \
  "smlatt %[" to "3], %[odd], %[w1], %[" to "3]\n\t"
  // A line of the window, then the next: three times the code would take a tenth off.
  asm("1:\n\t"                                 //
      ARENITE_PIXEL("], #4") ARENITE_TAP("], #8") ARENITE_ADD("a")
      ARENITE_PIXEL(", #8]") ARENITE_ADD("b")  //
      ARENITE_TAP(", #16]") ARENITE_ADD("a")   //
      ARENITE_PIXEL(", #20]") ARENITE_ADD("b")
      ARENITE_TAP(", #40]") ARENITE_ADD("a")   //
      ARENITE_PIXEL(", #32]") ARENITE_ADD("b")
      "ldr %[even], %[end]\n\t"
      "cmp %[taps], %[even]\n\t"
      "bne 1b"
      : [a0] "+r"(a0), [a1] "+r"(a1), [a2] "+r"(a2), [a3] "+r"(a3), [b0] "+r"(b0), [b1] "+r"(b1),
        [b2] "+r"(b2), [b3] "+r"(b3), [even] "=&r"(even), [odd] "=&r"(odd), [w0] "=&r"(w0),
        [w1] "=&r"(w1), [x] "+r"(x), [taps] "+r"(taps)
      : [end] "m"(end)
      : "cc", "memory");
#undef ARENITE_ADD
#undef ARENITE_TAP
#undef ARENITE_PIXEL
  a[0] = a0, a[1] = a1, a[2] = a2, a[3] = a3;
  b[0] = b0, b[1] = b1, b[2] = b2, b[3] = b3;
#else
  // Loads each word once, as the instructions above do.
  for (uint32_t h = 0; h < kSide; ++h) {
    uint32_t word = x[h];
    for (uint32_t w = 0; w < kSide; ++w) {
      const Tap tap = {taps[w * kSide + h][0], taps[w * kSide + h][1]};
      add_tap(word, tap, a);
      word = x[(w + 1) * kSide + h];
      add_tap(word, tap, b);
    }
  }
#endif
}

[[gnu::always_inline]] inline void begin(const Columns& columns, int32_t (&sums)[kColumns]) {
#pragma GCC unroll 4
  for (uint32_t j = 0; j < kColumns; ++j) sums[j] = columns.biases[j];
}

// The same columns, of which a compiler loads nothing before a loop: they are more than registers,
// and would be copied to the stack once more.
inline const Columns& read_again(const Columns& columns) {
  const Columns* same = &columns;
  asm("" : "+r"(same));
  return *same;
}

[[maybe_unused]] void compute_small(const IntegerProducts& p, const Columns& columns,
                                    Dst<int8_t> y) {
  const uint32_t* x = p.rows;
  uint32_t left = p.out_w;
  const size_t y_w = p.y_w;
  const size_t x_step = size_t{p.stride_w} * p.kernel_h;
  const uint32_t taps = taps_of(p);
  if (p.stride_w == 1 && p.kernel_h == kSide && p.kernel_w == kSide) {
    for (; left >= 2; left -= 2, x += 2 * kSide, y += 2 * y_w) {
      int32_t a[kColumns], b[kColumns];
      begin(columns, a);
      begin(columns, b);
      add_two_places(x, columns.taps, a, b);
      const Dst<int8_t> next = y + y_w;
#pragma GCC unroll 4
      for (uint32_t j = 0; j < kColumns; ++j) {
        const SmallFactor factor = columns.factors[j];
        y[j] = factor.result(dsp::doubled(a[j]));
        next[j] = factor.result(dsp::doubled(b[j]));
      }
    }
  }
  for (; left != 0; --left, x += x_step, y += y_w) {
    int32_t sums[kColumns];
    const Columns& same = read_again(columns);
    begin(same, sums);
    add_one_place(x, same.taps, taps, sums);
#pragma GCC unroll 4
    for (uint32_t j = 0; j < kColumns; ++j) y[j] = same.factors[j].result(dsp::doubled(sums[j]));
  }
}

// Results of any kind, of up to four columns. kOnce: they may be rounded once.
template <bool kOnce>
[[gnu::noinline]] void compute_any(const IntegerProducts& p, const Columns& columns,
                                   uint32_t column, uint32_t count, Dst<int8_t> y) {
  const uint32_t* x = p.rows;
  const size_t x_step = size_t{p.stride_w} * p.kernel_h;
  for (uint32_t left = p.out_w; left != 0; --left, x += x_step, y += p.y_w) {
    int32_t sums[kColumns];
    begin(columns, sums);
    add_one_place(x, columns.taps, taps_of(p), sums);
    if (!kOnce && p.results.small) {
      for (uint32_t j = 0; j < count; ++j) y[j] = columns.factors[j].result(dsp::doubled(sums[j]));
    } else {
      finish_results<kOnce>(p.results, column, count, sums, 1, y, 1, p.y_w);
    }
  }
}

// Makes results in float32 of a place.
struct FloatColumns {
  [[gnu::always_inline]] void put(int32_t (&sums)[kColumns], Dst<int8_t> y) const {
    multiply_four(sums, f0, f1, f2, f3);
#pragma GCC unroll 4
    for (uint32_t j = 0; j < kColumns; ++j) {
      y[j] = float_result(sums[j], zero_point);
    }
  }

  FloatFactor f0, f1, f2, f3;
  int32_t zero_point;
};

// Places of a line that are left, from their windows and results on.
struct Places {
  const uint32_t* x;
  uint32_t left;
  Dst<int8_t> y;
};

// Computes four columns of each place. Apart from pairs of places, for whose loop too few registers
// would be left.
[[gnu::noinline, maybe_unused]] void compute_float_ones(const IntegerProducts& p,
                                                        const Columns& columns,
                                                        const FloatColumns& results,
                                                        const Places& places) {
  // Copies: what is written could be theirs.
  const FloatColumns own = results;
  const Tap* const taps = columns.taps;
  const uint32_t count = taps_of(p);
  const size_t y_w = p.y_w;
  const size_t x_step = size_t{p.stride_w} * p.kernel_h;
  const uint32_t* x = places.x;
  Dst<int8_t> y = places.y;
  uint32_t left = places.left;
  int32_t sums[kColumns];
  if (count == kSide * kSide) {
    for (; left != 0; --left, x += x_step, y += y_w) {
      begin(columns, sums);
#pragma GCC unroll 9
      for (uint32_t i = 0; i < kSide * kSide; ++i) add_tap(x[i], taps[i], sums);
      own.put(sums, y);
    }
    return;
  }
  for (; left != 0; --left, x += x_step, y += y_w) {
    begin(columns, sums);
    add_one_place(x, taps, count, sums);
    own.put(sums, y);
  }
}

// As compute_small(), of results in float32.
[[gnu::noinline, maybe_unused]] void compute_floats(const IntegerProducts& p,
                                                    const Columns& columns, uint32_t column,
                                                    Dst<int8_t> y) {
  const FloatFactor first(p.results, column);
  FloatColumns results = {first, first, first, first, p.results.zero_point};
  if (p.results.factor_step != 0) {
    results.f1 = FloatFactor(p.results, column + 1);
    results.f2 = FloatFactor(p.results, column + 2);
    results.f3 = FloatFactor(p.results, column + 3);
  }
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
  if (left != 0) compute_float_ones(p, columns, results, {x, left, y});
}

// Does what add_depthwise_dsp() says. Calls compute_whole(columns, column, y) for four columns at
// once, if `takes_whole`.
template <bool kOnce, typename Whole>
[[gnu::always_inline]] inline void compute_columns(const DspDepthwise& d, uint32_t line,
                                                   bool takes_whole, const Whole& compute_whole) {
  const IntegerProducts& p = d.products;
  const Pixels pixels = find_pixels(p, line);
  Tap on_stack[kDspStackTaps];
  Columns columns;
  columns.taps = on_stack;
  if (taps_of(p) > kDspStackTaps) {
    uint32_t* behind = p.rows + p.kernel_h * dsp_depthwise_pixels(p.out_w, p.stride_w, p.kernel_w);
    columns.taps = static_cast<Tap*>(static_cast<void*>(behind));
  }
  for (uint32_t column = 0; column < p.columns; column += kColumns) {
    const uint32_t left = p.columns - column;
    const uint32_t count = left < kColumns ? left : kColumns;
    const bool whole = count == kColumns;
    copy_pixels<kOnce>(d, pixels, column, count);
    const Dst<int8_t> y = p.y + line * p.y_h + column;
    if (whole && takes_whole) {
      compute_whole(columns, column, y);
    } else {
      prepare_columns<kOnce>(d, column, count, columns);
      compute_any<kOnce>(p, columns, column, count, y);
    }
  }
}

// The same of results that are rounded twice, or once.
template <bool kOnce>
[[gnu::always_inline]] inline void compute_line(const DspDepthwise& d, uint32_t line) {
  const IntegerProducts& p = d.products;
  if constexpr (kOnce) {  // such results are not small
    compute_columns<true>(d, line, FloatResults::takes(p.results),
                          [&](Columns& columns, uint32_t column, Dst<int8_t> y) {
                            prepare_columns<true>(d, column, kColumns, columns);
                            compute_floats(p, columns, column, y);
                          });
  } else {
    compute_columns<false>(d, line, p.results.small,
                           [&](Columns& columns, uint32_t column, Dst<int8_t> y) {
                             prepare_columns<false>(d, column, kColumns, columns);
                             compute_small(p, columns, y);
                           });
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

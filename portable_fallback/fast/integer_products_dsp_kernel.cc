// Widens what a few places read to pairs of 16-bit numbers, and multiplies two at once:
//
//   rows   x0 x1 of place 0 | x0 x1 of place 1 | ... | x2 x3 of place 0 | ...
//   w      a0 b0 a1 b1 | a2 b2 a3 b3 | ...   bytes of columns a and b: even ones are a's pair
//
// 1. Of each place its window is copied to the rows, less the zero point, and what lies beside x.
// 2. A tile of two columns by up to four places keeps its sums in registers. Four places read a
//    word of w once for 16 products; a single one takes four columns, which read a pair of x once.
//
// Lai, Suda and Chandra, "CMSIS-NN" (arXiv 1801.06601), widens in the same way; the interleaved
// weights need no reordering at run time.
#include "portable_fallback/fast/integer_products_dsp_kernel.h"

#include "portable_fallback/fast/integer_depthwise_dsp.h"
#include "portable_fallback/fast/integer_finish_dsp.h"

namespace arenite {
namespace {

// Where the numbers of one place go in the rows: pairs that lie `step` words apart.
class Lane {
 public:
  Lane(uint32_t* to, size_t step) : to_(to), step_(step) {}

  // `count` elements, x_step apart, less the zero point.
  void copy(const IntegerProducts& p, Src<std::byte> x, size_t x_step, uint32_t count) {
    if (half_ != 0 && count != 0) {
      put(p, *x);
      x += x_step;
      --count;
    }
    if (x_step == 1) {
      const uint32_t flip = p.flip;
      const uint32_t added = dsp::pair_of(p.added, p.added);
      const size_t step = step_;
      uint32_t* to = to_;
      for (uint32_t words = count / 4; words != 0; --words, x += 4) {
        uint32_t word;
        take(static_cast<std::byte*>(static_cast<void*>(&word)), x, sizeof word);
        word ^= flip;
        const uint32_t even = dsp::add_even_bytes(added, word);
        const uint32_t odd = dsp::add_odd_bytes(added, word);
        *to = dsp::lower_pair(even, odd);
        to += step;
        *to = dsp::upper_pair(even, odd);
        to += step;
      }
      to_ = to;
      count %= 4;
    }
    for (; count != 0; --count, x += x_step) put(p, *x);
  }

  void fill(int32_t number, uint32_t count) {
    for (; count != 0; --count) put(number);
  }

  // A last number without a partner gets 0.
  void end() {
    if (half_ != 0) put(0);
  }

 private:
  void put(const IntegerProducts& p, std::byte x) {
    put(static_cast<int8_t>(static_cast<uint32_t>(x) ^ (p.flip & 0xff)) + p.added);
  }
  void put(int32_t number) {
    if (half_ == 0) {
      *to_ = static_cast<uint32_t>(number) & 0xffff;
    } else {
      *to_ |= static_cast<uint32_t>(number) << 16;
      to_ += step_;
    }
    half_ ^= 1;
  }

  uint32_t* to_;
  const size_t step_;
  uint32_t half_ = 0;
};

// The window of one place.
void copy_window(const IntegerProducts& p, uint32_t line, uint32_t place, Lane lane) {
  const auto width = static_cast<int32_t>(p.in_w);
  const auto left = static_cast<int32_t>(place * p.stride_w) - static_cast<int32_t>(p.pad_w);
  const int32_t right = left + static_cast<int32_t>((p.kernel_w - 1) * p.dilation_w);
  auto ih = static_cast<int32_t>(line * p.stride_h) - static_cast<int32_t>(p.pad_h);
  for (uint32_t h = 0; h < p.kernel_h; ++h, ih += static_cast<int32_t>(p.dilation_h)) {
    if (ih < 0 || ih >= static_cast<int32_t>(p.in_h)) {
      lane.fill(p.outside, p.kernel_w * p.channels);
      continue;
    }
    const Src<std::byte> row = p.x + static_cast<size_t>(ih) * p.x_h;
    if (p.joined && left >= 0 && right < width) {
      lane.copy(p, row + static_cast<size_t>(left) * p.x_w, p.x_c, p.kernel_w * p.channels);
      continue;
    }
    for (int32_t iw = left; iw <= right; iw += static_cast<int32_t>(p.dilation_w)) {
      if (iw < 0 || iw >= width) {
        lane.fill(p.outside, p.channels);
      } else {
        lane.copy(p, row + static_cast<size_t>(iw) * p.x_w, p.x_c, p.channels);
      }
    }
  }
  lane.end();
}

// The sums of some columns, whose results are made at once.
constexpr uint32_t kColumnsAtOnce = 8;
template <uint32_t kPlaces>
using Sums = int32_t[kColumnsAtOnce][kPlaces];

// The word of the last products where their number is odd.
inline uint32_t load_half(const std::byte* w) {
  uint16_t half;
  std::memcpy(&half, w, sizeof half);
  return half;
}

// Adds the products of a word of w to two columns' sums.
template <uint32_t kPlaces>
inline void add_word(uint32_t word, const uint32_t* x, int32_t (*sums)[kPlaces]) {
  const uint32_t first = dsp::even_bytes(word);
  const uint32_t second = dsp::odd_bytes(word);
#pragma GCC unroll 4
  for (uint32_t p = 0; p < kPlaces; ++p) {
    dsp::add_products(first, x[p], sums[0][p]);
    dsp::add_products(second, x[p], sums[1][p]);
  }
}

template <uint32_t kPlaces>
inline void add_words(const std::byte* w, const uint32_t* x, uint32_t words,
                      int32_t (*to)[kPlaces]) {
  int32_t sums[2][kPlaces];
  std::memcpy(sums, to, sizeof sums);
  for (; words >= 4; words -= 4, w += 16, x += size_t{4} * kPlaces) {
#pragma GCC unroll 4
    for (uint32_t i = 0; i < 4; ++i) add_word(dsp::load_word(w + 4 * i), x + i * kPlaces, sums);
  }
  for (; words != 0; --words, w += 4, x += kPlaces) add_word(dsp::load_word(w), x, sums);
  std::memcpy(to, sums, sizeof sums);
}

#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__)
// Eight sums, two words of w, two of x and both pointers take all 14 registers: the ends are read
// from memory, and four words are a round. A compiler keeps sums in memory instead.
template <>
inline void add_words<4>(const std::byte* w, const uint32_t* x, uint32_t words, int32_t (*to)[4]) {
  const std::byte* whole_end = w + words / 4 * size_t{16};
  const std::byte* end = w + words * size_t{4};
  int32_t a0 = to[0][0], a1 = to[0][1], a2 = to[0][2], a3 = to[0][3];
  int32_t b0 = to[1][0], b1 = to[1][1], b2 = to[1][2], b3 = to[1][3];
  uint32_t even, odd, x0, x1;
#define ARENITE_ADD_WORD                   \
  "ldr %[odd], [%[w]], #4\n\t"             \
  "ldrd %[x0], %[x1], [%[x]], #8\n\t"      \
  "sxtb16 %[even], %[odd]\n\t"             \
  "sxtb16 %[odd], %[odd], ror #8\n\t"      \
  "smlad %[a0], %[even], %[x0], %[a0]\n\t" \
  "smlad %[b0], %[odd], %[x0], %[b0]\n\t"  \
  "smlad %[a1], %[even], %[x1], %[a1]\n\t" \
  "smlad %[b1], %[odd], %[x1], %[b1]\n\t"  \
  "ldrd %[x0], %[x1], [%[x]], #8\n\t"      \
  "smlad %[a2], %[even], %[x0], %[a2]\n\t" \
  "smlad %[b2], %[odd], %[x0], %[b2]\n\t"  \
  "smlad %[a3], %[even], %[x1], %[a3]\n\t" \
  "smlad %[b3], %[odd], %[x1], %[b3]\n\t"
  asm("b 2f\n\t"
      "1:\n\t" ARENITE_ADD_WORD ARENITE_ADD_WORD ARENITE_ADD_WORD ARENITE_ADD_WORD
      "2:\n\t"
      "ldr %[even], %[whole_end]\n\t"
      "cmp %[w], %[even]\n\t"
      "bne 1b\n\t"
      "b 4f\n\t"
      "3:\n\t" ARENITE_ADD_WORD
      "4:\n\t"
      "ldr %[even], %[end]\n\t"
      "cmp %[w], %[even]\n\t"
      "bne 3b"
      : [a0] "+r"(a0), [a1] "+r"(a1), [a2] "+r"(a2), [a3] "+r"(a3), [b0] "+r"(b0), [b1] "+r"(b1),
        [b2] "+r"(b2), [b3] "+r"(b3), [w] "+r"(w), [x] "+r"(x), [even] "=&r"(even),
        [odd] "=&r"(odd), [x0] "=&r"(x0), [x1] "=&r"(x1)
      : [whole_end] "m"(whole_end), [end] "m"(end)
      : "cc", "memory");
#undef ARENITE_ADD_WORD
  to[0][0] = a0;
  to[0][1] = a1;
  to[0][2] = a2;
  to[0][3] = a3;
  to[1][0] = b0;
  to[1][1] = b1;
  to[1][2] = b2;
  to[1][3] = b3;
}
#endif

// The same of one place.
inline void add_word(uint32_t word, uint32_t pair, int32_t& first, int32_t& second) {
  dsp::add_products(dsp::even_bytes(word), pair, first);
  dsp::add_products(dsp::odd_bytes(word), pair, second);
}

// Adds the products of four columns and one place; the words of the last two are `next` bytes on.
// With kAligned w is aligned to words, and so is next.
template <bool kAligned>
void add_words_of_four(const std::byte* w, size_t next, const uint32_t* rows, uint32_t words,
                       int32_t (*sums)[1]) {
  const std::byte* w_next = w + next;
  const auto* x = static_cast<const std::byte*>(static_cast<const void*>(rows));
  int32_t s0 = sums[0][0], s1 = sums[1][0], s2 = sums[2][0], s3 = sums[3][0];
  const auto add_two = [&] {
    uint32_t pair0, pair1, word0, word1;
    dsp::take_words<true>(x, pair0, pair1);
    dsp::take_words<kAligned>(w, word0, word1);
    add_word(word0, pair0, s0, s1);
    add_word(word1, pair1, s0, s1);
    dsp::take_words<kAligned>(w_next, word0, word1);
    add_word(word0, pair0, s2, s3);
    add_word(word1, pair1, s2, s3);
  };
  for (; words >= 4; words -= 4) {
    add_two();
    add_two();
  }
  if (words >= 2) add_two();
  if (words % 2 != 0) {
    const uint32_t pair = dsp::load_word(x);
    add_word(dsp::load_word(w), pair, s0, s1);
    add_word(dsp::load_word(w_next), pair, s2, s3);
  }
  sums[0][0] = s0;
  sums[1][0] = s1;
  sums[2][0] = s2;
  sums[3][0] = s3;
}

// Adds the products of `count` columns from one on.
template <uint32_t kPlaces>
[[gnu::noinline]] void add_columns(const IntegerProducts& p, uint32_t depth, uint32_t column,
                                   uint32_t count, Sums<kPlaces>& sums) {
  const std::byte* w = p.w + size_t{column} * depth;
  const size_t next = size_t{2} * depth;
  const uint32_t words = depth / 2;
  uint32_t j = 0;
  if constexpr (kPlaces == 1) {
    const bool aligned = ((reinterpret_cast<uintptr_t>(w) | next) & 3) == 0;
    for (; j + 4 <= count; j += 4) {
      const std::byte* at = w + j / 2 * next;
      aligned ? add_words_of_four<true>(at, next, p.rows, words, sums + j)
              : add_words_of_four<false>(at, next, p.rows, words, sums + j);
    }
  }
  for (; j < count; j += 2) add_words<kPlaces>(w + j / 2 * next, p.rows, words, sums + j);
  if (depth % 2 == 0) return;
  for (j = 0; j < count; j += 2, w += next) {
    add_word(load_half(w + next - 2), p.rows + words * kPlaces, sums + j);
  }
}

template <uint32_t kPlaces>
void compute_places(const IntegerProducts& p, uint32_t line, uint32_t place) {
  for (uint32_t i = 0; i < kPlaces; ++i) {
    copy_window(p, line, place + i, Lane(p.rows + i, kPlaces));
  }
  const uint32_t depth = p.kernel_h * p.kernel_w * p.channels;
  Dst<int8_t> y = p.y + line * p.y_h + place * p.y_w;
  Sums<kPlaces> sums;
  for (uint32_t column = 0; column < p.columns; column += kColumnsAtOnce) {
    const uint32_t left = p.columns - column;
    const uint32_t count = left < kColumnsAtOnce ? left : kColumnsAtOnce;
    const uint32_t large = start(p.results, column, count, sums);
    add_columns<kPlaces>(p, depth, column, count, sums);
    finish(p.results, column, count, large, sums, {y + column * p.y_c, p.y_c, p.y_w});
  }
}

}  // namespace

void add_products_dsp(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  while (place < end) {
    const uint32_t places = dsp_places_at_once(end - place);
    if (places == 4) {
      compute_places<4>(p, line, place);
    } else if (places == 2) {
      compute_places<2>(p, line, place);
    } else {
      compute_places<1>(p, line, place);
    }
    place += places;
  }
}

void add_depthwise_dsp(const DspDepthwise& d, uint32_t line) {
  const IntegerProducts& p = d.products;
  const uint32_t pairs = dsp_depthwise_pairs(p.out_w, p.stride_w);
  uint32_t* w = p.rows + kColumns * kLines * pairs;
  for (uint32_t column = 0; column < p.columns; column += kColumns) {
    const uint32_t left = p.columns - column;
    const uint32_t count = left < kColumns ? left : kColumns;
    if (count == kColumns) {
      copy_columns<true>(d, line, column, count, pairs, w);
    } else {
      copy_columns<false>(d, line, column, count, pairs, w);
    }
    const Dst<int8_t> y = p.y + line * p.y_h + column;
    if (p.stride_w == 1) {
      compute_line<1>(p, column, count, w, y);
    } else {
      compute_line<2>(p, column, count, w, y);
    }
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

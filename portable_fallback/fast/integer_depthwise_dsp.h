// Adds the products of depthwise windows, four columns of a line at a time:
//
//   x      c0 c1 c2 c3 of pixel 0 | c0 c1 c2 c3 of pixel 1 | ...         bytes
//   pairs  c0 of pixels 0 1 | c1 of pixels 0 1 | c2 ... | c0 of pixels 2 3 | ...
//
// 1. Three lines of x are turned to pairs of neighboring pixels, [pair][line][column]. What lies
//    beside x is filled in.
// 2. So are the weights of each line of a window: taps 0 and 1, and taps 1 and 2. Those that a
//    window lacks are 0.
// 3. Of four places each sum takes two products of pairs a line; words of x serve two places, or in
//    steps of two pixels one.
#pragma once

#include "portable_fallback/fast/integer_finish_dsp.h"
#include "portable_fallback/fast/integer_products_dsp_kernel.h"

namespace arenite {
namespace {

constexpr uint32_t kLines = 3;    // of a window
constexpr uint32_t kColumns = 4;  // in a word
constexpr uint32_t kPairWords = kLines * kColumns;

// Up to four neighboring bytes as a word; kColumns if kWhole.
template <bool kWhole>
inline uint32_t load_columns(Src<std::byte> from, uint32_t count) {
  uint32_t word = 0;
  if constexpr (kWhole) {
    take<std::byte>(static_cast<std::byte*>(static_cast<void*>(&word)), from, kColumns);
  } else {
    for (uint32_t i = 0; i < count; ++i) word |= static_cast<uint32_t>(from[i]) << 8 * i;
  }
  return word;
}

// Writes the pairs of four columns that two words' even and odd bytes hold.
inline void put_pairs(uint32_t even, uint32_t odd, uint32_t next_even, uint32_t next_odd,
                      uint32_t* to) {
  to[0] = dsp::lower_pair(even, next_even);
  to[1] = dsp::lower_pair(odd, next_odd);
  to[2] = dsp::upper_pair(even, next_even);
  to[3] = dsp::upper_pair(odd, next_odd);
}

// Line `ih` of x, which may lie beside it.
template <bool kWhole>
[[gnu::noinline]] void copy_line(const IntegerProducts& p, int32_t ih, uint32_t column,
                                 uint32_t count, uint32_t pairs, uint32_t* to) {
  const uint32_t outside = static_cast<uint8_t>(p.outside - p.added) * 0x01010101u;
  const uint32_t added = dsp::pair_of(p.added, p.added);
  const uint32_t flip = p.flip;
  const uint32_t width = ih >= 0 && static_cast<uint32_t>(ih) < p.in_h ? p.in_w : 0;
  const Src<std::byte> line = p.x + static_cast<size_t>(width != 0 ? ih : 0) * p.x_h + column;
  const size_t x_w = p.x_w;
  const auto pixel = [&](size_t at) { return load_columns<kWhole>(line + at, count) ^ flip; };
  // Left of x these are large numbers.
  uint32_t iw = 0 - p.pad_w;
  size_t at = size_t{0} - p.pad_w * x_w;
  const uint32_t before_last = width == 0 ? 0 : width - 1;
  for (const uint32_t* end = to + pairs * kPairWords; to != end; to += kPairWords) {
    uint32_t word = outside;
    uint32_t next = outside;
    if (iw < before_last) {
      word = pixel(at);
      next = pixel(at + x_w);
    } else if (iw < width) {
      word = pixel(at);
    } else if (iw + 1 < width) {
      next = pixel(at + x_w);
    }
    iw += 2;
    at += 2 * x_w;
    put_pairs(dsp::add_even_bytes(added, word), dsp::add_odd_bytes(added, word),
              dsp::add_even_bytes(added, next), dsp::add_odd_bytes(added, next), to);
  }
}

// Two words for each line of a window: of taps 0 and 1, and of taps 1 and 2.
template <bool kWhole>
[[gnu::noinline]] void copy_weights(const DspDepthwise& d, uint32_t column, uint32_t count,
                                    uint32_t* to) {
  const uint32_t kernel_w = d.products.kernel_w;
  Src<std::byte> line = as<std::byte>(d.products.w) + column;
  for (uint32_t h = 0; h < kLines; ++h, to += 2 * kColumns, line += d.w_h) {
    Src<std::byte> tap = line;
    uint32_t even[3], odd[3];
#pragma GCC unroll 3
    for (uint32_t w = 0; w < 3; ++w, tap += d.w_w) {
      const bool has = h < d.products.kernel_h && w < kernel_w;
      const uint32_t word = has ? load_columns<kWhole>(tap, count) : 0;
      even[w] = dsp::even_bytes(word);
      odd[w] = dsp::odd_bytes(word);
    }
    put_pairs(even[0], odd[0], even[1], odd[1], to);
    put_pairs(even[1], odd[1], even[2], odd[2], to + kColumns);
  }
}

template <bool kWhole>
void copy_columns(const DspDepthwise& d, uint32_t line, uint32_t column, uint32_t count,
                  uint32_t pairs, uint32_t* w) {
  const IntegerProducts& p = d.products;
  auto ih = static_cast<int32_t>(line * p.stride_h) - static_cast<int32_t>(p.pad_h);
  for (uint32_t h = 0; h < kLines; ++h, ih += static_cast<int32_t>(p.dilation_h)) {
    // Lines that a window lacks lie beside x, and their weights are 0.
    copy_line<kWhole>(p, h < p.kernel_h ? ih : -1, column, count, pairs, p.rows + h * kColumns);
  }
  copy_weights<kWhole>(d, column, count, w);
}

// Adds the products of a column at some places, of which the first reads the pairs at x.
template <uint32_t kPlaces, uint32_t kStride>
inline void add_windows(const uint32_t* x, const uint32_t* w, int32_t (&to)[kPlaces]) {
  int32_t sums[kPlaces];
  std::memcpy(sums, to, sizeof sums);
#pragma GCC unroll 3
  for (uint32_t h = 0; h < kLines; ++h, x += kColumns, w += 2 * kColumns) {
    const uint32_t early = w[0];        // taps 0 and 1
    const uint32_t late = w[kColumns];  // taps 1 and 2
    uint32_t pair = x[0];
    uint32_t before = pair;
#pragma GCC unroll 4
    for (uint32_t p = 0; p < kPlaces; ++p) {
      if (kStride == 1 && p % 2 != 0) {
        // From the second pixel of the pair before on.
        dsp::add_upper_lower_product(before, early, sums[p]);
        dsp::add_products(pair, late, sums[p]);
      } else {
        before = pair;
        pair = x[(p * kStride / 2 + 1) * kPairWords];
        dsp::add_products(before, early, sums[p]);
        dsp::add_lower_upper_product(pair, late, sums[p]);
      }
    }
  }
  std::memcpy(to, sums, sizeof sums);
}

template <uint32_t kPlaces, uint32_t kStride>
void compute_windows(const IntegerProducts& p, uint32_t column, uint32_t count, const uint32_t* w,
                     const uint32_t* x, Dst<int8_t> y) {
  int32_t sums[kColumns][kPlaces];
  const uint32_t large = start(p.results, column, count, sums);
  for (uint32_t j = 0; j < count; ++j) add_windows<kPlaces, kStride>(x + j, w + j, sums[j]);
  finish(p.results, column, count, large, sums, {y, 1, p.y_w});
}

template <uint32_t kStride>
void compute_line(const IntegerProducts& p, uint32_t column, uint32_t count, const uint32_t* w,
                  Dst<int8_t> y) {
  const uint32_t* x = p.rows;
  uint32_t left = p.out_w;
  const auto step = [&](uint32_t places) {
    left -= places;
    x += places * kStride / 2 * kPairWords;
    y += places * p.y_w;
  };
  while (left >= 4) {
    compute_windows<4, kStride>(p, column, count, w, x, y);
    step(4);
  }
  if (left >= 2) {
    compute_windows<2, kStride>(p, column, count, w, x, y);
    step(2);
  }
  if (left != 0) compute_windows<1, kStride>(p, column, count, w, x, y);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Multiplies rows of bytes by panels of weights: a tile of up to eight places by two panels keeps
// its sums in registers, where results are made of them.
//
//   x0 x1 x2 x3 x0 x1 x2 x3 ...   times   column 0: w0 w1 w2 w3, column 1: w0 w1 w2 w3, ...
#pragma once

#include "portable_fallback/fast/integer_finish_avx512.h"

#if defined(__AVX512VNNI__) && defined(__AVX512BW__) && defined(__AVX512VL__)

namespace arenite {
namespace {

inline uint8_t* bytes_of(uint32_t* words) {
  return static_cast<uint8_t*>(static_cast<void*>(words));
}

// Puts the results of sums of some places, of columns `column` and the next.
template <bool kJoined, uint32_t kPlaces>
inline void put_panel(const IntegerProducts& p, uint32_t column, const __m512i (&sums)[kPlaces],
                      Dst<int8_t> y) {
  const uint32_t count = p.columns - column;
  const bool done = with_way(p.results, [&]<Way kWay>() {
    const SixteenOutputs<kWay> outputs(p.results, column, count);
    for (uint32_t i = 0; i < kPlaces; ++i) {
      put_results<kJoined>(outputs.of(sums[i]), count, y + i * p.y_w, p.y_c);
    }
  });
  if (done) return;
  for (uint32_t i = 0; i < kPlaces; ++i) {
    put_each(p.results, column, sums[i], count, y + i * p.y_w, p.y_c);
  }
}

// Rows of so many bytes times one or two panels.
template <uint32_t kPlaces, uint32_t kPanels>
inline void add_tile(const IntegerProducts& p, uint32_t column, const uint8_t* rows, uint32_t row,
                     const uint8_t* panels, const int32_t* added, Dst<int8_t> y) {
  const uint32_t fours = panel_fours(depth_of(p));
  const size_t panel = size_t{fours} * 64;
  __m512i sums[kPanels][kPlaces];
  for (uint32_t i = 0; i < kPlaces; ++i) {
    for (uint32_t j = 0; j < kPanels; ++j) sums[j][i] = _mm512_set1_epi32(added[i]);
  }
  for (uint32_t f = 0; f < fours; ++f, rows += 4, panels += 64) {
    __m512i w[kPanels];
    for (uint32_t j = 0; j < kPanels; ++j) w[j] = _mm512_loadu_si512(panels + j * panel);
#pragma GCC unroll 8
    for (uint32_t i = 0; i < kPlaces; ++i) {
      int32_t four;
      std::memcpy(&four, rows + size_t{i} * row, 4);
      const __m512i x = _mm512_set1_epi32(four);
#pragma GCC unroll 2
      for (uint32_t j = 0; j < kPanels; ++j) {
        sums[j][i] = _mm512_dpbusd_epi32(sums[j][i], x, w[j]);
      }
    }
  }
  // Copies, so that the sums themselves stay in registers.
  for (uint32_t j = 0; j < kPanels; ++j, column += kPanelColumns) {
    __m512i copies[kPlaces];
    for (uint32_t i = 0; i < kPlaces; ++i) copies[i] = sums[j][i];
    const Dst<int8_t> to = y + column * p.y_c;
    if (p.y_c == 1) {
      put_panel<true>(p, column, copies, to);
    } else {
      put_panel<false>(p, column, copies, to);
    }
  }
}

// All columns of some places, whose first result is at y.
template <uint32_t kPlaces>
inline void add_panels(const IntegerProducts& p, const uint8_t* rows, uint32_t row,
                       const int32_t* added, Dst<int8_t> y) {
  const uint32_t fours = panel_fours(depth_of(p));
  const size_t panel = size_t{fours} * 64;
  const auto* panels = static_cast<const uint8_t*>(static_cast<const void*>(p.w));
  uint32_t column = 0;
  for (; column + kPanelColumns < p.columns; column += 2 * kPanelColumns, panels += 2 * panel) {
    add_tile<kPlaces, 2>(p, column, rows, row, panels, added, y);
  }
  if (column < p.columns) add_tile<kPlaces, 1>(p, column, rows, row, panels, added, y);
}

inline void add_places(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  const ByteRow row(p);
  const uint32_t depth = depth_of(p), padded = panel_fours(depth) * 4;
  // The pixels of places that follow each other are one run.
  const bool one_run = p.kernel_h == 1 && p.kernel_w == 1 && p.stride_w == 1 && p.pad_w == 0 &&
                       p.pad_h == 0 && p.x_c == 1 && p.x_w == depth && padded == depth;
  const uint32_t bytes = one_run ? depth : dot_row(depth);
  uint8_t* const rows = bytes_of(p.rows);
  while (place < end) {
    const uint32_t places = dot_places_at_once(end - place);
    int32_t added[kDotPlaces] = {};
    if (one_run) {
      copy_run(row, p.x + (line * p.stride_h * p.x_h + place * p.x_w), 1, places * depth, rows);
    }
    for (uint32_t i = 0; i < places; ++i) {
      uint8_t* const to = rows + size_t{i} * bytes;
      if (!one_run) copy_window(p, row, line, place + i, padded, to);
      if (p.w_zero_point != 0) added[i] = of_weights_zero_point(p, to, depth);
    }
    const Dst<int8_t> y = p.y + (line * p.y_h + place * p.y_w);
    uint32_t i = 0;
    const auto add = [&]<uint32_t kPlaces>() {
      for (; i + kPlaces <= places; i += kPlaces) {
        add_panels<kPlaces>(p, rows + size_t{i} * bytes, bytes, added + i, y + i * p.y_w);
      }
    };
    add.template operator()<8>();
    add.template operator()<4>();
    add.template operator()<1>();
    place += places;
  }
}

// Four columns by four fours of weights, or fewer, to a panel.
inline void pack_fours(const __m128i (&columns)[4], uint32_t fours, uint8_t* to) {
  const __m128i a = _mm_unpacklo_epi32(columns[0], columns[1]);
  const __m128i b = _mm_unpacklo_epi32(columns[2], columns[3]);
  const __m128i c = _mm_unpackhi_epi32(columns[0], columns[1]);
  const __m128i d = _mm_unpackhi_epi32(columns[2], columns[3]);
  const __m128i packed[4] = {_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b),
                             _mm_unpacklo_epi64(c, d), _mm_unpackhi_epi64(c, d)};
  for (uint32_t f = 0; f < 4 && f < fours; ++f) {
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(to + f * 64)), packed[f]);
  }
}

// The panel of columns `column` and the next; returns the sums of their weights.
inline __m512i pack_panel(const IntegerProducts& p, uint32_t column, uint8_t* panel) {
  const uint32_t depth = depth_of(p), fours = panel_fours(depth);
  for (uint32_t c = 0; c < kPanelColumns; c += 4) {
    for (uint32_t k = 0; k < depth; k += 16) {
      const auto there = static_cast<__mmask16>(depth - k >= 16 ? 0xffff : (1u << (depth - k)) - 1);
      __m128i columns[4];
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t at = column + c + i;
        columns[i] = at < p.columns
                         ? _mm_maskz_loadu_epi8(there, weights_of(p) + size_t{at} * depth + k)
                         : _mm_setzero_si128();
      }
      pack_fours(columns, fours - k / 4, panel + size_t{k} * 16 + c * 4);
    }
  }
  const __m512i ones = _mm512_set1_epi8(1);
  __m512i sums = _mm512_setzero_si512();
  for (uint32_t f = 0; f < fours; ++f, panel += 64) {
    sums = _mm512_dpbusd_epi32(sums, ones, _mm512_loadu_si512(panel));
  }
  return sums;
}

// What x's zero point, and that it moves by 128, add to all sums: so many times a sum of weights.
inline __m512i moved_biases(const IntegerResults& results, uint32_t column, uint32_t columns,
                            __m512i sums, int32_t times) {
  const __mmask16 there = first_of_sixteen(columns - column);
  const __m512i biases = results.bias_step == 0
                             ? _mm512_set1_epi32(*results.bias)
                             : _mm512_maskz_loadu_epi32(there, results.bias + column);
  return _mm512_add_epi32(biases, _mm512_mullo_epi32(sums, _mm512_set1_epi32(times)));
}

}  // namespace
}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

// Multiplies rows of bytes by panels of weights: a tile of some places by one or two panels keeps
// its sums in registers, where results are made of them. A kernel's file includes the lanes of its
// machine first (integer_lanes_avx512.h).
//
//   x0 x1 x2 x3 x0 x1 x2 x3 ...   times   column 0: w0 w1 w2 w3, column 1: w0 w1 w2 w3, ...
#pragma once

#include "portable_fallback/fast/integer_ways.h"
#include "portable_fallback/fast/window_rows.h"

namespace arenite {
namespace {

inline uint8_t* bytes_of(uint32_t* words) {
  return static_cast<uint8_t*>(static_cast<void*>(words));
}

// Puts the first `count` of sixteen results; kJoined: one behind the other, else `y_step` apart.
template <bool kJoined>
inline void put_results(Bytes results, uint32_t count, Dst<int8_t> y, size_t y_step) {
  int8_t bytes[16];
  store_bytes(bytes, results);
  if constexpr (kJoined) {
    if (count >= 16) {
      put(y, static_cast<const int8_t*>(bytes), 16);
    } else {
      put(y, static_cast<const int8_t*>(bytes), count);
    }
  } else {
    for (uint32_t j = 0; j < count && j < 16; ++j) y[j * y_step] = bytes[j];
  }
}

// The same of sums, each by itself.
inline void put_each(const IntegerResults& results, uint32_t output, Sixteen sums, uint32_t count,
                     Dst<int8_t> y, size_t y_step) {
  int32_t each[16];
  store_sums(each, sums);
  for (uint32_t j = 0; j < count && j < 16; ++j) {
    y[j * y_step] = result_of(results, output + j, each[j]);
  }
}

// Puts the results of sums of some places, of columns `column` and the next.
template <bool kJoined, uint32_t kPlaces>
inline void put_panel(const IntegerProducts& p, uint32_t column, const Sixteen (&sums)[kPlaces],
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

// Rows of so many bytes times one or two panels. Not inlined: each size takes stack of its own.
template <uint32_t kPlaces, uint32_t kPanels>
[[gnu::noinline]] void add_tile(const IntegerProducts& p, uint32_t column,
                                const LaneRow::Number* rows, uint32_t row, const uint8_t* panels,
                                const int32_t* added, Dst<int8_t> y) {
  const uint32_t fours = panel_fours(depth_of(p));
  const size_t panel = size_t{fours} * 64;
  Sixteen sums[kPanels][kPlaces];
  for (uint32_t i = 0; i < kPlaces; ++i) {
    for (uint32_t j = 0; j < kPanels; ++j) sums[j][i] = all_of(added[i]);
  }
  for (uint32_t f = 0; f < fours; ++f, rows += 4, panels += 64) {
    Fours w[kPanels];
    for (uint32_t j = 0; j < kPanels; ++j) w[j] = load_fours(panels + j * panel);
#pragma GCC unroll 8
    for (uint32_t i = 0; i < kPlaces; ++i) {
      int32_t four;
      std::memcpy(&four, rows + size_t{i} * row, 4);
      const Fours x = same_four(four);
#pragma GCC unroll 2
      for (uint32_t j = 0; j < kPanels; ++j) {
        sums[j][i] = with_products(sums[j][i], x, w[j]);
      }
    }
  }
  // Copies, so that the sums themselves stay in registers.
  for (uint32_t j = 0; j < kPanels; ++j, column += kPanelColumns) {
    Sixteen copies[kPlaces];
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
inline void add_panels(const IntegerProducts& p, const LaneRow::Number* rows, uint32_t row,
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
  const LaneRow row(p);
  const uint32_t depth = depth_of(p), padded = panel_fours(depth) * 4;
  // The pixels of places that follow each other are one run.
  const bool one_run = p.kernel_h == 1 && p.kernel_w == 1 && p.stride_w == 1 && p.pad_w == 0 &&
                       p.pad_h == 0 && p.x_c == 1 && p.x_w == depth && padded == depth;
  const uint32_t bytes = one_run ? depth : dot_row(depth);
  using Number = LaneRow::Number;
  auto* const rows = static_cast<Number*>(static_cast<void*>(p.rows));
  while (place < end) {
    const uint32_t places = dot_places_at_once(end - place);
    int32_t added[kDotPlaces] = {};
    if (one_run) {
      copy_run(row, p.x + (line * p.stride_h * p.x_h + place * p.x_w), 1, places * depth, rows);
    }
    for (uint32_t i = 0; i < places; ++i) {
      Number* const to = rows + size_t{i} * bytes;
      if (!one_run) copy_window(p, row, line, place + i, padded, to);
      if (p.w_zero_point != 0) added[i] = of_weights_zero_point(p, row, to, depth);
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

// The panel of columns `column` and the next; returns the sums of their weights.
inline Sixteen pack_panel(const IntegerProducts& p, uint32_t column, uint8_t* panel) {
  const uint32_t depth = depth_of(p), fours = panel_fours(depth);
  for (uint32_t c = 0; c < kPanelColumns; c += 4) {
    for (uint32_t k = 0; k < depth; k += 16) {
      Bytes columns[4];
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t at = column + c + i;
        columns[i] = at < p.columns ? load_bytes(weights_of(p) + size_t{at} * depth + k, depth - k)
                                    : no_bytes();
      }
      pack_fours(columns, fours - k / 4, panel + size_t{k} * 16 + c * 4);
    }
  }
  const Fours ones = same_four(0x01010101);
  Sixteen sums = all_of(0);
  for (uint32_t f = 0; f < fours; ++f, panel += 64) {
    sums = with_products(sums, ones, load_fours(panel));
  }
  return sums;
}

// Biases and what the numbers' zero point adds to all sums: so many times a sum of weights.
inline Sixteen moved_biases(const IntegerProducts& p, uint32_t column, Sixteen sums) {
  const IntegerResults& results = p.results;
  const Sixteen biases = results.bias_step == 0
                             ? all_of(*results.bias)
                             : load_sums(results.bias + column, p.columns - column);
  return sum_of(biases, times(sums, LaneRow(p).above));
}

inline void pack_panels(const IntegerProducts& p, uint32_t* panels, int32_t* biases) {
  uint8_t* panel = bytes_of(panels);
  const size_t bytes = size_t{panel_fours(depth_of(p))} * 64;
  for (uint32_t column = 0; column < p.columns; column += kPanelColumns, panel += bytes) {
    store_sums(biases + column, moved_biases(p, column, pack_panel(p, column, panel)));
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Multiplies rows of bytes by panels of weights: a tile of some places by one or two panels keeps
// its sums in registers, where results are made of them. A kernel's file includes the lanes of its
// machine first (integer_lanes_avx512.h).
//
//   x0 x1 x2 x3 x0 x1 x2 x3 ...   times   column 0: w0 w1 w2 w3, column 1: w0 w1 w2 w3, ...
#pragma once

#include <utility>

#include "portable_fallback/fast/integer_ways.h"
#include "portable_fallback/fast/window_rows.h"

namespace arenite {
namespace {

inline uint8_t* bytes_of(uint32_t* words) {
  return static_cast<uint8_t*>(static_cast<void*>(words));
}

// Puts the first `count` of sixteen results; kJoined: one behind the other, else `y_step` apart.
template <bool kJoined>
inline void put_results(const int8_t* results, uint32_t count, Dst<int8_t> y, size_t y_step) {
  if constexpr (kJoined) {
    if (count >= 16) {
      put(y, results, 16);
    } else {
      put(y, results, count);
    }
  } else {
    for (uint32_t j = 0; j < count && j < 16; ++j) y[j * y_step] = results[j];
  }
}

// The same of sums, each by itself.
inline void put_each(const IntegerResults& results, uint32_t output, Sixteen sums, uint32_t count,
                     Dst<int8_t> y, size_t y_step) {
  int32_t each[16];
  store_sums(each, sums);
  for (uint32_t j = 0; j < count && j < 16; ++j) {
    put_result(results, output + j, each[j], y + j * y_step);
  }
}

// Holds what the columns of neighboring panels need to make results.
template <Way kWay, uint32_t kPanels>
class PanelOutputs {
 public:
  PanelOutputs(const IntegerResults& results, uint32_t column, uint32_t count)
      : PanelOutputs(results, column, count, std::make_integer_sequence<uint32_t, kPanels>()) {}

  FourBytes of_four(const FourResults& results, const Sixteen* sums) const {
    return results.of(outputs_, sums);
  }

 private:
  // Those of `count` columns that are behind so many panels.
  static uint32_t behind(uint32_t count, uint32_t panels) {
    return count > panels * kPanelColumns ? count - panels * kPanelColumns : 0;
  }

  template <uint32_t... kAt>
  PanelOutputs(const IntegerResults& results, uint32_t column, uint32_t count,
               std::integer_sequence<uint32_t, kAt...>)
      : outputs_{{results, column + kAt * kPanelColumns, behind(count, kAt)}...} {}

  SixteenOutputs<kWay> outputs_[kPanels];
};

template <typename Vectors>
inline const int8_t* bytes_of(const Vectors& vectors) {
  return static_cast<const int8_t*>(static_cast<const void*>(&vectors));
}

// Puts 32 results, all of a place or of two; returns where those of the next place lie.
template <uint32_t kPanels, typename Half>
inline Dst<int8_t> put_half(const Half results, Dst<int8_t> y, size_t y_w) {
  if constexpr (kPanels == 2) {
    put(y, bytes_of(results), 32);
  } else {
    put(y, bytes_of(results), 16);
    y += y_w;
    put(y, bytes_of(results) + 16, 16);
  }
  return y + y_w;
}

// Some places have so many vectors of sums, of one panel or of two: there are whole fours of them.
constexpr uint32_t tile_sums(uint32_t places, uint32_t panels) {
  return (places * panels + 3) / 4 * 4;
}

// Puts the results of a tile, of columns `column` and the next. Not inlined: GCC keeps nothing of
// it in registers otherwise.
template <Way kWay, bool kJoined, uint32_t kPlaces, uint32_t kPanels>
[[gnu::noinline]] void put_tile(const IntegerProducts& p, const FourResults& all, uint32_t column,
                                const Sixteen* sums, Dst<int8_t> y) {
  const uint32_t count = p.columns - column;
  if constexpr (kWay == Way::kEach) {
    for (uint32_t i = 0; i < kPlaces; ++i, y += p.y_w) {
      for (uint32_t j = 0; j < kPanels; ++j) {
        put_each(p.results, column + j * 16, sums[i * kPanels + j], count - j * 16,
                 y + j * 16 * p.y_c, p.y_c);
      }
    }
  } else {
    // A copy, which nothing that is put can change.
    const FourResults four = all;
    const PanelOutputs<kWay, kPanels> outputs(p.results, column, count);
    constexpr uint32_t kAtOnce = 4 / kPanels;
    const bool whole = kJoined && kPlaces % kAtOnce == 0 && count >= 16 * kPanels;
    for (uint32_t i = 0; i < kPlaces; i += kAtOnce) {
      const FourBytes results = outputs.of_four(four, sums + i * kPanels);
      if (whole) {
        y = put_half<kPanels>(results.first, y, p.y_w);
        y = put_half<kPanels>(results.last, y, p.y_w);
        continue;
      }
      for (uint32_t k = 0; k < kAtOnce && i + k < kPlaces; ++k, y += p.y_w) {
        const int8_t* of_place = bytes_of(results) + k * 16 * kPanels;
        put_results<kJoined>(of_place, count, y, p.y_c);
        if constexpr (kPanels == 2) {
          put_results<kJoined>(of_place + 16, count - 16, y + 16 * p.y_c, p.y_c);
        }
      }
    }
  }
}

// The groups of all columns of a panel take so many bytes, and so many groups are a four.
constexpr uint32_t kGroupBytes = kGroup * kPanelColumns, kGroupsOfFour = 4 / kGroup;

// Multiplies rows of so many fours by one or two panels, which is a tile.
template <uint32_t kPlaces, uint32_t kPanels>
[[gnu::always_inline]] inline void add_tile(uint32_t fours, const LaneRow::Number* rows,
                                            uint32_t row, const uint8_t* panels,
                                            const int32_t* added, Sixteen* to) {
  const size_t panel = size_t{fours} * 64;
  Sixteen sums[kPlaces][kPanels];
#pragma GCC unroll 8
  for (uint32_t i = 0; i < kPlaces; ++i) {
#pragma GCC unroll 2
    for (uint32_t j = 0; j < kPanels; ++j) sums[i][j] = all_of(added[i]);
  }
  uint32_t groups = fours * kGroupsOfFour;
  do {
    Groups w[kPanels];
#pragma GCC unroll 2
    for (uint32_t j = 0; j < kPanels; ++j) w[j] = load_groups(panels + j * panel);
#pragma GCC unroll 8
    for (uint32_t i = 0; i < kPlaces; ++i) {
      const Groups x = same_group(rows + size_t{i} * row);
#pragma GCC unroll 2
      for (uint32_t j = 0; j < kPanels; ++j) sums[i][j] = with_products(sums[i][j], x, w[j]);
    }
    rows += kGroup;
    panels += kGroupBytes;
  } while (--groups != 0);
#pragma GCC unroll 8
  for (uint32_t i = 0; i < kPlaces; ++i) {
#pragma GCC unroll 2
    for (uint32_t j = 0; j < kPanels; ++j) to[i * kPanels + j] = sums[i][j];
  }
}

// Makes the sums of some places, a tile at a time. It is not inlined, as each size takes stack of
// its own.
template <uint32_t kPlaces, uint32_t kPanels>
[[gnu::noinline]] void add_tiles(uint32_t fours, const LaneRow::Number* rows, uint32_t row,
                                 const uint8_t* panels, const int32_t* added, Sixteen* to) {
  constexpr uint32_t kRows = kPlaces < kTileRows ? kPlaces : kTileRows;
  for (uint32_t i = 0; i < kPlaces; i += kRows) {
    add_tile<kRows, kPanels>(fours, rows + size_t{i} * row, row, panels, added + i,
                             to + i * kPanels);
  }
}

// All columns of some places, whose first result is at y.
template <Way kWay, bool kJoined, uint32_t kPlaces>
inline void add_panels(const IntegerProducts& p, const FourResults& four,
                       const LaneRow::Number* rows, uint32_t row, const int32_t* added,
                       Sixteen* sums, Dst<int8_t> y) {
  const uint32_t fours = panel_fours(depth_of(p));
  const size_t panel = size_t{fours} * 64;
  const auto* panels = static_cast<const uint8_t*>(static_cast<const void*>(p.w));
  uint32_t column = 0;
  if constexpr (kTilePanels == 2) {
    for (; column + kPanelColumns < p.columns; column += 2 * kPanelColumns, panels += 2 * panel) {
      add_tiles<kPlaces, 2>(fours, rows, row, panels, added, sums);
      put_tile<kWay, kJoined, kPlaces, 2>(p, four, column, sums, y + column * p.y_c);
    }
  }
  for (; column < p.columns; column += kPanelColumns, panels += panel) {
    add_tiles<kPlaces, 1>(fours, rows, row, panels, added, sums);
    put_tile<kWay, kJoined, kPlaces, 1>(p, four, column, sums, y + column * p.y_c);
  }
}

template <Way kWay, bool kJoined>
void add_places_by(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  const LaneRow row(p);
  const uint32_t depth = depth_of(p), padded = panel_fours(depth) * 4;
  // The pixels of places that follow each other are one run.
  const bool one_run = p.kernel_h == 1 && p.kernel_w == 1 && p.stride_w == 1 && p.pad_w == 0 &&
                       p.pad_h == 0 && p.x_c == 1 && p.x_w == depth && padded == depth &&
                       end <= p.in_w && line * p.stride_h < p.in_h;
  const uint32_t bytes = one_run ? depth : dot_row(depth);
  using Number = LaneRow::Number;
  auto* const rows = static_cast<Number*>(static_cast<void*>(p.rows));
  Sixteen sums[tile_sums(kDotPlaces, kTilePanels)] = {};
  const FourResults four(p.results);
  while (place < end) {
    const uint32_t places = dot_places_at_once(end - place);
    int32_t added[kDotPlaces] = {};
    if (one_run) {
      copy_run(row, p.x + (line * p.stride_h * p.x_h + place * p.x_w), 1, places * depth, rows);
    }
    for (uint32_t i = 0; i < places; ++i) {
      Number* const to = rows + size_t{i} * bytes;
      if (!one_run) copy_window(p, row, line, place + i, padded, to);
      if (p.w_zero_point != 0) {
        added[i] = of_weights_zero_point(p, row, sum_of_numbers(to, depth), depth);
      }
    }
    const Dst<int8_t> y = p.y + (line * p.y_h + place * p.y_w);
    uint32_t i = 0;
    const auto add = [&]<uint32_t kPlaces>() {
      for (; i + kPlaces <= places; i += kPlaces) {
        add_panels<kWay, kJoined, kPlaces>(p, four, rows + size_t{i} * bytes, bytes, added + i,
                                           sums, y + i * p.y_w);
      }
    };
    add.template operator()<8>();
    add.template operator()<4>();
    add.template operator()<1>();
    place += places;
  }
}

inline void add_places(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  const auto add = [&]<Way kWay>() {
    if (p.y_c == 1) {
      add_places_by<kWay, true>(p, line, place, end);
    } else {
      add_places_by<kWay, false>(p, line, place, end);
    }
  };
  if (!with_way(p.results, add)) add.template operator()<Way::kEach>();
}

// Makes columns `column` and the next three of a panel.
inline void pack_four_columns(const int8_t* const (&columns)[4], uint32_t depth, uint32_t column,
                              uint8_t* panel) {
  Bytes of[4];
  uint32_t k = 0;
  for (; k + 16 <= depth; k += 16) {
    for (uint32_t i = 0; i < 4; ++i) of[i] = load_bytes(columns[i] + k);
    pack_fours(of, 4, column, panel + size_t{k} * 16);
  }
  if (k == depth) return;
  for (uint32_t i = 0; i < 4; ++i) of[i] = load_bytes(columns[i] + k, depth - k);
  pack_fours(of, panel_fours(depth - k), column, panel + size_t{k} * 16);
}

// The panel of columns `column` and the next; returns the sums of their weights. Behind the last
// column it is read again.
inline Sixteen pack_panel(const IntegerProducts& p, uint32_t column, uint8_t* panel) {
  const uint32_t depth = depth_of(p), fours = panel_fours(depth);
  for (uint32_t c = 0; c < kPanelColumns; c += 4) {
    const int8_t* columns[4];
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t at = column + c + i;
      columns[i] = weights_of(p) + size_t{at < p.columns ? at : p.columns - 1} * depth;
    }
    pack_four_columns(columns, depth, c, panel);
  }
  Sixteen sums = all_of(0);
  for (uint32_t i = 0; i < fours * kGroupsOfFour; ++i, panel += kGroupBytes) {
    sums = with_products(sums, ones(), load_groups(panel));
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

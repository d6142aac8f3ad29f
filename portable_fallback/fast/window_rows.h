// Copies the windows of places to rows of numbers.
#pragma once

#include <cstring>

#include "portable_fallback/fast/integer_dots.h"

namespace arenite {
// Each kernel's file has its own: one that two files shared would be compiled for the machine of
// one of them.
namespace {

// Numbers of x less its zero point.
struct WideRow {
  using Number = int16_t;
  explicit WideRow(const IntegerProducts& p)
      : flip(static_cast<uint8_t>(p.flip)), added(p.added), outside(p.outside) {}
  Number of(std::byte x) const {
    return static_cast<Number>(static_cast<int8_t>(std::to_integer<uint8_t>(x) ^ flip) + added);
  }
  uint8_t flip;
  int32_t added, outside;
  static constexpr int32_t above = 0;  // what is added to each number for what it stands for
};

// Numbers of x as bytes without a sign: 128 more than those of int8.
struct ByteRow {
  using Number = uint8_t;
  explicit ByteRow(const IntegerProducts& p)
      : flip(static_cast<uint8_t>(p.flip ^ 0x80)),
        outside(p.outside - p.added + 128),
        above(p.added - 128) {}
  Number of(std::byte x) const { return std::to_integer<uint8_t>(x) ^ flip; }
  uint8_t flip;
  int32_t outside, above;
};

// Numbers of x as int8.
struct SignedRow {
  using Number = int8_t;
  explicit SignedRow(const IntegerProducts& p)
      : flip(static_cast<uint8_t>(p.flip)), outside(p.outside - p.added), above(p.added) {}
  Number of(std::byte x) const { return static_cast<Number>(std::to_integer<uint8_t>(x) ^ flip); }
  uint8_t flip;
  int32_t outside, above;
};

// Copies so many neighbors.
template <uint32_t kCount, typename Row>
[[gnu::always_inline]] inline void copy_neighbors(Row row, Src<std::byte> x,
                                                  typename Row::Number* to) {
  std::byte bytes[kCount];
  take(bytes, x, kCount);
  for (uint32_t i = 0; i < kCount; ++i) to[i] = row.of(bytes[i]);
}

// Copies some neighbors again where less than a vector of them is left.
template <typename Row>
inline void copy_run(Row row, Src<std::byte> x, size_t x_step, uint32_t count,
                     typename Row::Number* to) {
  if (x_step != 1) {
    for (uint32_t i = 0; i < count; ++i) to[i] = row.of(x[i * x_step]);
  } else if (count >= 16) {
    uint32_t done = 0;
    for (; done + 16 <= count; done += 16) copy_neighbors<16>(row, x + done, to + done);
    if (done != count) copy_neighbors<16>(row, x + (count - 16), to + (count - 16));
  } else if (count >= 8) {
    copy_neighbors<8>(row, x, to);
    copy_neighbors<8>(row, x + (count - 8), to + (count - 8));
  } else if (count >= 4) {
    copy_neighbors<4>(row, x, to);
    copy_neighbors<4>(row, x + (count - 4), to + (count - 4));
  } else {
    for (uint32_t i = 0; i < count; ++i) to[i] = row.of(x[i]);
  }
}

// `padded` numbers: those of the window, then zeros.
template <typename Row>
void copy_window(const IntegerProducts& p, const Row& row, uint32_t line, uint32_t place,
                 uint32_t padded, typename Row::Number* to) {
  using Number = typename Row::Number;
  Number* const end = to + padded;
  const auto outside = static_cast<Number>(row.outside);
  // What lies above x or beside it is a large number.
  uint32_t ih = line * p.stride_h - p.pad_h;
  const uint32_t left = place * p.stride_w - p.pad_w;
  const uint32_t reach = (p.kernel_w - 1) * p.dilation_w;
  const bool whole = left < p.in_w && reach < p.in_w - left && p.joined;
  for (uint32_t h = 0; h < p.kernel_h; ++h, ih += p.dilation_h) {
    const uint32_t count = p.kernel_w * p.channels;
    if (ih >= p.in_h) {
      for (uint32_t i = 0; i < count; ++i) *to++ = outside;
      continue;
    }
    if (whole) {
      copy_run(row, p.x + (ih * p.x_h + left * p.x_w), p.x_c, count, to);
      to += count;
      continue;
    }
    uint32_t iw = left;
    for (uint32_t w = 0; w < p.kernel_w; ++w, iw += p.dilation_w, to += p.channels) {
      if (iw < p.in_w) {
        copy_run(row, p.x + (ih * p.x_h + iw * p.x_w), p.x_c, p.channels, to);
      } else {
        for (uint32_t i = 0; i < p.channels; ++i) to[i] = outside;
      }
    }
  }
  while (to != end) *to++ = 0;
}

inline const int8_t* weights_of(const IntegerProducts& p) {
  return static_cast<const int8_t*>(static_cast<const void*>(p.w));
}

template <typename Number>
inline int32_t sum_of_numbers(const Number* numbers, uint32_t count) {
  int32_t sum = 0;
  for (uint32_t k = 0; k < count; ++k) sum += numbers[k];
  return sum;
}
// Returns what a zero point of the weights adds to all sums of a place, whose numbers have this
// sum.
template <typename Row>
inline int32_t of_weights_zero_point(const IntegerProducts& p, const Row& row, int32_t sum,
                                     uint32_t depth) {
  return -p.w_zero_point * (sum + row.above * static_cast<int32_t>(depth));
}

// Columns whose sums are made before their results are.
inline constexpr uint32_t kColumnsAtOnce = 64;
// With room for whole vectors.
using SumsOfColumns = int32_t[kColumnsAtOnce + 16];

// Places of a tile of sums.
inline constexpr uint32_t kTilePlaces = 4;

// Sums of some places, and what is added to all of each: of columns `column` and the next.
struct SumsOfPlaces {
  const SumsOfColumns* sums;
  const int32_t* added;
  uint32_t places, column, count;
};

// One result, of any rounding.
inline int8_t result_of(const IntegerResults& results, uint32_t column, int32_t sum) {
  const auto biased = static_cast<int32_t>(
      static_cast<uint32_t>(sum) + static_cast<uint32_t>(results.bias[column * results.bias_step]));
  return static_cast<int8_t>(results.finish(results, biased,
                                            results.multipliers[column * results.factor_step],
                                            results.shifts[column * results.factor_step]));
}

// Puts one result, or a sum that is one itself.
inline void put_result(const IntegerResults& results, uint32_t column, int32_t sum, Dst<int8_t> y) {
  if (results.finish != nullptr) {
    *y = result_of(results, column, sum);
    return;
  }
  const auto biased =
      static_cast<uint32_t>(sum) + static_cast<uint32_t>(results.bias[column * results.bias_step]);
  put(y, static_cast<const int8_t*>(static_cast<const void*>(&biased)), sizeof(biased));
}

inline void finish_each(const IntegerProducts& p, const SumsOfPlaces& from, Dst<int8_t> y) {
  for (uint32_t i = 0; i < from.places; ++i, y += p.y_w) {
    for (uint32_t j = 0; j < from.count; ++j) {
      put_result(p.results, from.column + j, from.sums[i][j] + from.added[i], y + j * p.y_c);
    }
  }
}

// Computes places [place, end) of a line. Tiles has
//   type Row,
//   static void prepare(uint32_t depth, Number* row): of a copied row,
//   static void add<kPlaces>(const Number* rows, const int8_t* w, uint32_t depth, uint32_t columns,
//                            SumsOfColumns* sums),
//   static void finish(const IntegerProducts&, const SumsOfPlaces&, Dst<int8_t> y).
template <typename Tiles>
inline void add_dots(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  using Row = typename Tiles::Row;
  using Number = typename Row::Number;
  const Row row(p);
  const uint32_t depth = depth_of(p), padded = dot_row(depth);
  auto* rows = static_cast<Number*>(static_cast<void*>(p.rows));
  const int8_t* weights = weights_of(p);
  SumsOfColumns sums[kTilePlaces];
  while (place < end) {
    const uint32_t places = dot_places_at_once(end - place);
    int32_t added[kDotPlaces] = {};
    for (uint32_t i = 0; i < places; ++i) {
      Number* const to = rows + size_t{i} * padded;
      copy_window(p, row, line, place + i, padded, to);
      if (p.w_zero_point != 0) {
        added[i] = of_weights_zero_point(p, row, sum_of_numbers(to, depth), depth);
      }
      Tiles::prepare(depth, to);
    }
    for (uint32_t column = 0; column < p.columns; column += kColumnsAtOnce) {
      const uint32_t left = p.columns - column;
      const uint32_t count = left < kColumnsAtOnce ? left : kColumnsAtOnce;
      const int8_t* w = weights + size_t{column} * depth;
      for (uint32_t i = 0; i < places; i += kTilePlaces) {
        const Number* of_tile = rows + size_t{i} * padded;
        const uint32_t at_once = places - i < kTilePlaces ? places - i : kTilePlaces;
        if (at_once == kTilePlaces) {
          Tiles::template add<kTilePlaces>(of_tile, w, depth, count, sums);
        } else {
          for (uint32_t k = 0; k < at_once; ++k) {
            Tiles::template add<1>(of_tile + size_t{k} * padded, w, depth, count, sums + k);
          }
        }
        Tiles::finish(p, {sums, added + i, at_once, column, count},
                      p.y + (line * p.y_h + (place + i) * p.y_w + column * p.y_c));
      }
    }
    place += places;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

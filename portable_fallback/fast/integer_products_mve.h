// Multiplies 16 numbers of a row and a column at once:
//
//   rows   x0 x1 x2 ... of place 0 | of place 1       bytes
//   w      a0 a1 a2 ... | b0 b1 b2 ... | ...          bytes of columns a, b, ...
//
// Each tile of two places by three columns keeps its sums in registers. Their results are made four
// columns at a time.
#pragma once

#include "portable_fallback/fast/integer_copies_mve.h"
#include "portable_fallback/fast/integer_products_mve_kernel.h"
#include "portable_fallback/fast/integer_roundings_mve.h"

namespace arenite {
namespace {

inline const int8_t* weights_of(const IntegerProducts& p, uint32_t column, uint32_t depth) {
  return static_cast<const int8_t*>(static_cast<const void*>(p.w)) + size_t{column} * depth;
}

// The sums of some columns, whose results are made at once: whole tiles, and whole vectors.
constexpr uint32_t kColumnsAtOnce = kFinishedAtOnce;

template <uint32_t kVectors>
void add_vectors(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count, int32_t* sums) {
  if (depth % 16 == 0) {
    mve::add_short_columns<kVectors, true>(w, x, depth, count, sums, kColumnsAtOnce);
  } else {
    mve::add_short_columns<kVectors, false>(w, x, depth, count, sums, kColumnsAtOnce);
  }
}

void add_columns_of_two(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count,
                        int32_t* sums) {
  if (depth <= 16) return add_vectors<1>(w, x, depth, count, sums);
  if (depth <= 32) return add_vectors<2>(w, x, depth, count, sums);
  if (depth <= 48) return add_vectors<3>(w, x, depth, count, sums);
  if (depth <= 64) return add_vectors<4>(w, x, depth, count, sums);
  const uint32_t triples = count / 3;
  if (triples != 0) mve::add_two_by_three(w, x, depth, triples, sums, kColumnsAtOnce);
  for (uint32_t j = 3 * triples; j < count; ++j) {
    mve::add_two_by_one(w + size_t{j} * depth, x, depth, sums + j, kColumnsAtOnce);
  }
}

void add_columns_of_one(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count,
                        int32_t* sums) {
  const uint32_t fours = depth < 16 ? 0 : count / 4;
  if (fours != 0) mve::add_one_by_four(w, x, depth, fours, sums);
  for (uint32_t j = 4 * fours; j < count; ++j) {
    mve::add_one_by_one(w + size_t{j} * depth, x, depth, sums + j);
  }
}

template <uint32_t kPlaces>
void add_columns(const IntegerProducts& p, uint32_t depth, uint32_t column, uint32_t count,
                 int32_t* sums) {
  const int8_t* w = weights_of(p, column, depth);
  const auto* x = static_cast<const int8_t*>(static_cast<const void*>(p.rows));
  if constexpr (kPlaces == 2) {
    add_columns_of_two(w, x, depth, count, sums);
  } else {
    add_columns_of_one(w, x, depth, count, sums);
  }
}

// The same as a function of its own: its loops would have no register left where more is done
// around them.
template <uint32_t kPlaces>
[[gnu::noinline]] void add_columns_apart(const IntegerProducts& p, uint32_t depth, uint32_t column,
                                         uint32_t count, int32_t* sums) {
  add_columns<kPlaces>(p, depth, column, count, sums);
}

// The sums of one place and what fold_products_mve() makes, with one read of the weights.
void add_folded_columns(const IntegerProducts& p, uint32_t depth, uint32_t column, uint32_t count,
                        int32_t* sums, int32_t* biases) {
  const int8_t* w = weights_of(p, column, depth);
  const auto* x = static_cast<const int8_t*>(static_cast<const void*>(p.rows));
  uint32_t j = 0;
  for (; j + 3 <= count; j += 3, w += size_t{3} * depth) {
    mve::add_one_by_three(w, x, depth, sums + j, biases + j);
  }
  for (; j < count; ++j, w += depth) {
    mve::add_one_by_one(w, x, depth, sums + j);
    biases[j] = mve::sum_of_bytes(w, depth);
  }
  const size_t step = p.results.bias_step;
  const int32_t* bias = p.results.bias + column * step;
  if (step == 1) return mve::fold(bias, p.added, count, biases);
  for (j = 0; j < count; ++j, bias += step) {
    biases[j] = mve::sum(*bias, mve::product(p.added, biases[j]));
  }
}

// Makes int8 of the uint8 that rows hold, and finds what a zero point of w adds to all sums of a
// place.
template <uint32_t kPlaces>
inline void prepare_rows(const IntegerProducts& p, uint32_t depth, int8_t* rows,
                         int32_t (&of_places)[kPlaces]) {
  if (p.w_zero_point == 0) {
    if (p.flip != 0) mve::flip_bytes(rows, kPlaces * depth);
    return;
  }
  const int32_t of_zero_point = mve::product(p.added, static_cast<int32_t>(depth));
  for (uint32_t i = 0; i < kPlaces; ++i, rows += depth) {
    const int32_t sum =
        p.flip != 0 ? mve::sum_of_flipped(rows, depth) : mve::sum_of_bytes(rows, depth);
    of_places[i] = mve::product(-p.w_zero_point, mve::sum(sum, of_zero_point));
  }
}

// Computes places up to an end, so many at once; returns the first that is left. kBytes: x may be
// uint8, and w have a zero point.
template <uint32_t kPlaces, bool kBytes>
uint32_t compute_places(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end,
                        bool folds) {
  const uint32_t depth = depth_of(p);
  auto* rows = static_cast<int8_t*>(static_cast<void*>(p.rows));
  const bool neighbors = p.one_pixel && p.x_c == 1 && p.x_w == depth;
  const InsidePlaces inside = inside_places(p, line);
  int32_t sums[kPlaces * kColumnsAtOnce];
  int32_t biases[kColumnsAtOnce];
  for (; place + kPlaces <= end; place += kPlaces) {
    if (neighbors) {
      mve::copy_bytes(rows, p.x + line * p.x_h + size_t{place} * depth, kPlaces * depth);
    } else if (place >= inside.begin && place + kPlaces <= inside.end) {
      copy_inside(p, line, place, kPlaces, rows);
    } else if (p.joined) {
      copy_joined(p, line, place, kPlaces, rows);
    } else {
      for (uint32_t i = 0; i < kPlaces; ++i) {
        copy_window(p, line, place + i, rows + size_t{i} * depth);
      }
    }
    int32_t of_places[kPlaces] = {};
    if constexpr (kBytes) prepare_rows<kPlaces>(p, depth, rows, of_places);
    const Dst<int8_t> y = p.y + line * p.y_h + place * p.y_w;
    for (uint32_t column = 0; column < p.columns; column += kColumnsAtOnce) {
      const uint32_t left = p.columns - column;
      const uint32_t count = left < kColumnsAtOnce ? left : kColumnsAtOnce;
      if (kPlaces == 1 && folds && p.added != 0) {
        add_folded_columns(p, depth, column, count, sums, biases);
      } else {
        if (folds) fold_products_mve(p, column, count, biases);
        if constexpr (kBytes) {
          add_columns_apart<kPlaces>(p, depth, column, count, sums);
        } else {
          add_columns<kPlaces>(p, depth, column, count, sums);
        }
      }
      if (kBytes && p.w_zero_point != 0 && !finishes_floats(p.results, p.y_c)) {
        for (uint32_t i = 0; i < kPlaces; ++i) {
          mve::add_to_all(of_places[i], count, sums + i * kColumnsAtOnce);
        }
      }
      const PlacesOfSums from = {sums, folds ? biases : p.results.bias + column, kPlaces,
                                 kColumnsAtOnce};
      const PlacesOfResults to = {y + column * p.y_c, p.y_c, p.y_w};
      if constexpr (kBytes) {
        finish_any<false, kColumnsAtOnce>(p.results, column, count, from, to, of_places);
      } else {
        finish<false>(p.results, column, count, from, to);
      }
    }
  }
  return place;
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

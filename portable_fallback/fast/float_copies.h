// Copies the parts of x and w that a tile reads, so that their elements are side by side.
#pragma once

#include <type_traits>

#include "portable_fallback/fast/float_places.h"
#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

// Products [k, k + taps * depth): a part of a tap, from `channel` on, or some whole taps.
struct Chunk {
  uint32_t k, taps, depth;
  Tap tap;  // the first
  uint32_t channel;

  uint32_t products() const { return taps * depth; }
};

// Columns [column, column + columns) of a chunk's weights: panels of [k][kProductColumns].
struct Strip {
  uint32_t column, columns;
  const void* w;
  WeightType w_type;
  size_t w_k, w_panel;
};

// Elements from a place's tap (0, 0) to each tap: tensors have less than 2^31.
void find_taps(const FloatProducts& p, int32_t* to_taps) {
  Tap tap = {0, 0};
  for (; tap.h != p.kernel_h; move_on(p, tap)) {
    *to_taps++ = static_cast<int32_t>(to_tap(p, tap, 0));
  }
}

// A place's tap (0, 0), which may lie outside of x: no pointer is computed with.
inline const float* at_element(const float* x, ptrdiff_t element) {
  constexpr auto kFloat = static_cast<ptrdiff_t>(sizeof(float));
  const uintptr_t address =
      reinterpret_cast<uintptr_t>(x) + static_cast<uintptr_t>(element * kFloat);
  return reinterpret_cast<const float*>(address);
}

// Copies a chunk of each row to x_copy, [rows][products], but for what lies outside of x.
void copy_rows(const FloatProducts& p, const Places& places, uint32_t rows, const Chunk& chunk,
               bool inside) {
  for (uint32_t r = 0; r < rows; ++r) {
    float* to = p.x_copy + size_t{r} * chunk.products();
    Tap tap = chunk.tap;
    for (uint32_t t = 0; t < chunk.taps; ++t, to += chunk.depth, move_on(p, tap)) {
      if (!inside && !is_inside(p, places, r, tap)) continue;
      const float* from = p.x + (places.x_of(p, r) + to_tap(p, tap, chunk.channel));
      for (uint32_t j = 0; j < chunk.depth; ++j) to[j] = from[j * p.x_c];
    }
  }
}

// Copies `count` neighbors, fewer than a panel has, and zeros behind them.
inline void copy_line(const float* from, uint32_t count, float* to) {
  for (uint32_t j = 0; j < kProductColumns; j += kLanes) {
    Vector v = {};
    if (count >= j + kLanes) {
      v = load(from + j);
    } else if (count > j) {
      v = load_first(from + j, count - j);
    }
    store(to + j, v);
  }
}

// Copies weights that lie side by side, and asks for those that lie `ahead` behind them.
template <typename W>
void copy_panel(const W* from, uint32_t products, size_t ahead, float* to) {
  for (uint32_t k = 0; k < products; ++k, from += kProductColumns, to += kProductColumns) {
    prefetch(from, ahead);
#pragma GCC unroll 16
    for (uint32_t j = 0; j < kProductColumns; j += kLanes) store(to + j, load(from + j));
  }
}

// Copies a chunk's weights of some columns to w_copy, [panel][products][kProductColumns].
template <typename W>
void copy_weights(const FloatProducts& p, uint32_t column, uint32_t columns, const Chunk& chunk) {
  float* to = p.w_copy;
  for (uint32_t first = 0; first < columns; first += kProductColumns) {
    const uint32_t left = columns - first;
    const uint32_t count = p.padded || left > kProductColumns ? kProductColumns : left;
    const W* from = static_cast<const W*>(p.w) + (column + first) / kProductColumns * p.w_panel +
                    chunk.k * p.w_k;
    if (p.w_n == 1 && p.w_k == kProductColumns && count == kProductColumns) {
      // Nothing is asked for beyond the last panels: such requests take long.
      const bool more = column + first + kCopiedColumns < p.columns;
      const size_t ahead = more ? kCopiedColumns / kProductColumns * p.w_panel : 0;
      copy_panel(from, chunk.products(), ahead, to);
      to += size_t{chunk.products()} * kProductColumns;
      continue;
    }
    for (uint32_t k = 0; k < chunk.products(); ++k, from += p.w_k, to += kProductColumns) {
      if (p.w_n == 1 && count == kProductColumns) {
        for (uint32_t j = 0; j < kProductColumns; j += kLanes) store(to + j, load(from + j));
        continue;
      }
      if constexpr (std::is_same_v<W, float>) {
        if (p.w_n == 1) {
          copy_line(from, count, to);
          continue;
        }
      }
      for (uint32_t j = 0; j < count; ++j) to[j] = widened(from[j * p.w_n]);
      for (uint32_t j = count; j < kProductColumns; ++j) to[j] = 0.0f;
    }
  }
}

template <typename W>
void widen_each(const W* from, size_t count, float* to) {
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) store(to + i, load(from + i));
  for (; i < count; ++i) to[i] = widened(from[i]);
}

// Widens weights of 16 bits that lie side by side.
void widen(const void* from, WeightType type, size_t count, float* to) {
  if (type == WeightType::kFloat16) {
    widen_each(static_cast<const Float16*>(from), count, to);
  } else {
    widen_each(static_cast<const Bfloat16*>(from), count, to);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

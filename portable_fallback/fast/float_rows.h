// What a tile reads: where the windows of its rows lie in x, which of their taps lie outside of it,
// and copies of x and w whose elements are side by side.
#pragma once

#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

// A tap of the window.
struct Tap {
  uint32_t h, w;
};
inline void move_on(const FloatProducts& p, Tap& tap) {
  if (++tap.w != p.kernel_w) return;
  tap.w = 0;
  ++tap.h;
}

// Products [k, k + taps * depth): a part of a tap, from `channel` on, or some whole taps.
struct Chunk {
  uint32_t k, taps, depth;
  Tap tap;  // the first
  uint32_t channel;

  uint32_t products() const { return taps * depth; }
};

// Columns [column, column + columns) of a chunk's weights: panels of [k][kProductColumns] floats.
struct Strip {
  uint32_t column, columns;
  const float* w;
  size_t w_k, w_panel;
};

// A row of the result: its tap (0, 0), which may lie outside of x, and where it is stored.
struct Place {
  int32_t top, left;
  ptrdiff_t x;  // elements from x to that tap
  float* y;
};

void find_places(const FloatProducts& p, uint32_t row, uint32_t rows, Place* places) {
  uint32_t h = row / p.out_w;
  uint32_t w = row % p.out_w;
  for (uint32_t r = 0; r < rows; ++r) {
    const auto top = static_cast<int32_t>(h * p.stride_h) - static_cast<int32_t>(p.pad_h);
    const auto left = static_cast<int32_t>(w * p.stride_w) - static_cast<int32_t>(p.pad_w);
    places[r] = {top, left,
                 top * static_cast<ptrdiff_t>(p.x_h) + left * static_cast<ptrdiff_t>(p.x_w),
                 p.y + h * p.y_h + w * p.y_w};
    if (++w == p.out_w) {
      w = 0;
      ++h;
    }
  }
}

inline bool is_inside(const FloatProducts& p, const Place& place, const Tap& tap) {
  const auto h = static_cast<uint32_t>(place.top + static_cast<int32_t>(tap.h * p.dilation_h));
  const auto w = static_cast<uint32_t>(place.left + static_cast<int32_t>(tap.w * p.dilation_w));
  return h < p.in_h && w < p.in_w;
}

// Elements from a place's tap (0, 0) to a channel of another tap.
inline ptrdiff_t to_tap(const FloatProducts& p, const Tap& tap, uint32_t channel) {
  return static_cast<ptrdiff_t>(tap.h * p.dilation_h * p.x_h + tap.w * p.dilation_w * p.x_w +
                                channel * p.x_c);
}

// The rows for which a tap lies inside of x, a bit for each.
uint32_t rows_inside(const FloatProducts& p, const Place* places, uint32_t rows, const Tap& tap) {
  uint32_t mask = 0;
  for (uint32_t r = 0; r < rows; ++r) mask |= uint32_t{is_inside(p, places[r], tap)} << r;
  return mask;
}

// Copies a chunk of each row to x_copy, [rows][products]; leaves out what lies outside of x.
void copy_rows(const FloatProducts& p, const Place* places, uint32_t rows, const Chunk& chunk) {
  for (uint32_t r = 0; r < rows; ++r) {
    float* to = p.x_copy + size_t{r} * chunk.products();
    Tap tap = chunk.tap;
    for (uint32_t t = 0; t < chunk.taps; ++t, to += chunk.depth, move_on(p, tap)) {
      if (!is_inside(p, places[r], tap)) continue;
      const float* from = p.x + (places[r].x + to_tap(p, tap, chunk.channel));
      for (uint32_t j = 0; j < chunk.depth; ++j) to[j] = from[j * p.x_c];
    }
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
    for (uint32_t k = 0; k < chunk.products(); ++k, from += p.w_k, to += kProductColumns) {
      if (p.w_n == 1 && count == kProductColumns) {
        for (uint32_t j = 0; j < kProductColumns; j += kLanes) store(to + j, load(from + j));
        continue;
      }
      for (uint32_t j = 0; j < count; ++j) to[j] = widened(from[j * p.w_n]);
      for (uint32_t j = count; j < kProductColumns; ++j) to[j] = 0.0f;
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

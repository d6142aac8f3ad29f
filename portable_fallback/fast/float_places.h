// The places of a range, in the order in which tiles take them: first those whose windows lie
// inside of x, then those that leave it above or below, then those that leave it at the sides; so
// that most rows of a tile lack the same taps.
#pragma once

#include "portable_fallback/fast/float_tile.h"

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

// Rows of the result: each one's tap (0, 0), which may lie outside of x, and where it is stored.
// Arrays apart, which vectors fill and read.
struct Places {
  int32_t top[kTileRows], left[kTileRows];
  float* y[kTileRows];
  // They follow each other in a line. Of those whose windows lie inside of x, only the first is in
  // the arrays then.
  bool neighbors;

  // Elements from x to that tap of a row.
  ptrdiff_t x_of(const FloatProducts& p, uint32_t row) const {
    const uint32_t kept = neighbors ? 0 : row;
    const int32_t right = neighbors ? static_cast<int32_t>(row * p.stride_w) : 0;
    return top[kept] * static_cast<ptrdiff_t>(p.x_h) +
           (left[kept] + right) * static_cast<ptrdiff_t>(p.x_w);
  }
  float* y_of(const FloatProducts& p, uint32_t row) const {
    return neighbors ? y[0] + row * p.y_w : y[row];
  }
};

inline bool is_inside(const FloatProducts& p, const Places& places, uint32_t row, const Tap& tap) {
  const auto h =
      static_cast<uint32_t>(places.top[row] + static_cast<int32_t>(tap.h * p.dilation_h));
  const auto w =
      static_cast<uint32_t>(places.left[row] + static_cast<int32_t>(tap.w * p.dilation_w));
  return h < p.in_h && w < p.in_w;
}

// Elements from a place's tap (0, 0) to a channel of another tap.
inline ptrdiff_t to_tap(const FloatProducts& p, const Tap& tap, uint32_t channel) {
  return static_cast<ptrdiff_t>(tap.h * p.dilation_h * p.x_h + tap.w * p.dilation_w * p.x_w +
                                channel * p.x_c);
}

// The rows for which a tap lies inside of x, a bit for each.
uint32_t rows_inside(const FloatProducts& p, const Places& places, uint32_t rows, const Tap& tap) {
  uint32_t mask = 0;
  for (uint32_t r = 0; r < rows; ++r) mask |= uint32_t{is_inside(p, places, r, tap)} << r;
  return mask;
}

// The outputs [first, end) of `count` whose windows lie inside of `size` inputs.
struct Inner {
  uint32_t first, end;
};
inline Inner inner_of(uint32_t size, uint32_t taps, uint32_t dilation, uint32_t stride,
                      uint32_t pad, uint32_t count) {
  const uint32_t span = (taps - 1) * dilation;
  const uint32_t first = (pad + stride - 1) / stride;
  const uint32_t end = size + pad > span ? (size + pad - span - 1) / stride + 1 : 0;
  if (first >= end) return {0, 0};
  return {first < count ? first : count, end < count ? end : count};
}

// Hands places on by tiles of about the same number of rows: add(places, rows, inside).
template <typename F>
class TileRows {
 public:
  explicit TileRows(F add) : add_(add) {}

  void begin(uint32_t rows, bool inside) {
    rows_ = rows;
    tiles_ = (rows + kTileRows - 1) / kTileRows;
    inside_ = inside;
    begin_tile();
  }

  // `count` places of a line, from one on.
  void take(const FloatProducts& p, uint32_t line, uint32_t from, uint32_t count) {
    while (count != 0) {
      const uint32_t missing = wanted_ - taken_;
      const uint32_t now = count < missing ? count : missing;
      add_places(p, line, from, now);
      from += now;
      count -= now;
      if (taken_ != wanted_) continue;
      add_(places_, taken_, inside_);
      rows_ -= taken_;
      --tiles_;
      begin_tile();
    }
  }

 private:
  void begin_tile() {
    taken_ = 0;
    wanted_ = tiles_ != 0 ? (rows_ + tiles_ - 1) / tiles_ : 0;
  }

  void add_places(const FloatProducts& p, uint32_t line, uint32_t from, uint32_t count) {
    const auto top = static_cast<int32_t>(line * p.stride_h) - static_cast<int32_t>(p.pad_h);
    const auto left = static_cast<int32_t>(from * p.stride_w) - static_cast<int32_t>(p.pad_w);
    const auto left_step = static_cast<int32_t>(p.stride_w);
    float* y = p.y + line * p.y_h + from * p.y_w;
    const size_t y_step = p.y_w;
    Places& to = places_;
    const uint32_t at = taken_;
    to.neighbors = at == 0;
    const uint32_t kept = inside_ && to.neighbors && count == wanted_ ? 1 : count;
    for (uint32_t i = 0; i < kept; ++i) {
      to.top[at + i] = top;
      to.left[at + i] = left + static_cast<int32_t>(i) * left_step;
      to.y[at + i] = y + i * y_step;
    }
    taken_ += count;
  }

  F add_;
  uint32_t rows_, tiles_;  // still to come
  bool inside_;
  uint32_t taken_, wanted_;
  Places places_ = {};
};

// Calls add(places, rows, inside) for all tiles of a range.
template <typename F>
void for_tiles(const FloatProducts& p, const FloatRange& range, F add) {
  const uint32_t line_end = (range.row_end - 1) / p.out_w + 1;
  const Inner h = inner_of(p.in_h, p.kernel_h, p.dilation_h, p.stride_h, p.pad_h, line_end);
  const Inner w = inner_of(p.in_w, p.kernel_w, p.dilation_w, p.stride_w, p.pad_w, p.out_w);
  // Visits those of the places [first, end) of a line that the range has.
  const auto visit_part = [&](uint32_t line, uint32_t first, uint32_t end, auto visit) {
    const uint32_t row = line * p.out_w;
    if (range.row > row + first) first = range.row - row;
    if (range.row_end < row + end) end = range.row_end - row;
    if (first < end) visit(line, first, end);
  };
  const auto visit_lines = [&](bool inside, auto visit) {
    for (uint32_t line = range.row / p.out_w; line < line_end; ++line) {
      if ((line >= h.first && line < h.end) == inside) visit_part(line, w.first, w.end, visit);
    }
  };
  const auto visit_sides = [&](auto visit) {
    for (uint32_t at = 0; at < p.out_w; ++at) {
      if (at >= w.first && at < w.end) continue;
      for (uint32_t line = range.row / p.out_w; line < line_end; ++line) {
        visit_part(line, at, at + 1, visit);
      }
    }
  };
  TileRows tiles(add);
  const auto add_tiles = [&](bool inside, auto visit_all) {
    uint32_t rows = 0;
    visit_all([&](uint32_t, uint32_t from, uint32_t end) { rows += end - from; });
    tiles.begin(rows, inside);
    visit_all(
        [&](uint32_t line, uint32_t from, uint32_t end) { tiles.take(p, line, from, end - from); });
  };
  add_tiles(true, [&](auto visit) { visit_lines(true, visit); });
  if (h.first != 0 || h.end != line_end) {
    add_tiles(false, [&](auto visit) { visit_lines(false, visit); });
  }
  if (w.first != 0 || w.end != p.out_w) add_tiles(false, visit_sides);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

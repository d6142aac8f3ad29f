// Adds float products in tiles of four columns by four places, or by one; compiled for each kind of
// Four (fours.h).
//
//   rows   x0 of places 0 1 2 3 | x1 of places 0 1 2 3 | ...    scratch
//   w      a0 a1 a2 ... | b0 b1 b2 ... | ...                    a row for each column
//
// 1. Of each place its window is copied to the rows, with zeros for what lies beside x.
// 2. Four places read each weight once for four products, and each number of x once for four.
// 3. A weight that is infinite makes NaN of such a zero: where a window leaves x, sums that are NaN
//    are made again of the taps inside.
#pragma once

#include "portable_fallback/fast/float_four_rows.h"
#include "portable_fallback/fast/float_rows.h"

namespace arenite {
namespace {

constexpr uint32_t kTileColumns = 4;

// A place's window reaches from its first tap, at top and left, to its last, at bottom and right.
struct WindowSides {
  int32_t top, left, bottom, right;

  WindowSides(const FloatRows& p, uint32_t line, uint32_t place)
      : top(static_cast<int32_t>(line * p.stride_h) - static_cast<int32_t>(p.pad_h)),
        left(static_cast<int32_t>(place * p.stride_w) - static_cast<int32_t>(p.pad_w)),
        bottom(top + static_cast<int32_t>((p.kernel_h - 1) * p.dilation_h)),
        right(left + static_cast<int32_t>((p.kernel_w - 1) * p.dilation_w)) {}
  bool is_inside(const FloatRows& p) const {
    return top >= 0 && left >= 0 && bottom < static_cast<int32_t>(p.in_h) &&
           right < static_cast<int32_t>(p.in_w);
  }
};

// Calls visit(x of the tap, or null) for all taps of a window.
template <typename Visit>
inline void for_taps(const FloatRows& p, const WindowSides& sides, const Visit& visit) {
  int32_t ih = sides.top;
  for (uint32_t h = p.kernel_h; h != 0; --h, ih += static_cast<int32_t>(p.dilation_h)) {
    int32_t iw = sides.left;
    for (uint32_t w = p.kernel_w; w != 0; --w, iw += static_cast<int32_t>(p.dilation_w)) {
      const bool inside = static_cast<uint32_t>(ih) < p.in_h && static_cast<uint32_t>(iw) < p.in_w;
      visit(inside, inside ? static_cast<size_t>(ih) * p.x_h + static_cast<size_t>(iw) * p.x_w : 0);
    }
  }
}

// Copies the window of one of kPlaces places.
template <size_t kPlaces>
[[gnu::noinline]] void copy_window(const FloatRows& p, const WindowSides& sides, float* to) {
  const size_t x_c = p.x_c;
  for_taps(p, sides, [&](bool inside, size_t at) {
    uint32_t left = p.channels;
    if (!inside) {
      for (; left != 0; --left, to += kPlaces) *to = 0;
      return;
    }
    Src<float> x = p.x + at;
    if (x_c == 1) {
      for (; left >= 4; left -= 4, x += 4, to += 4 * kPlaces) {
        const float first = x[0], second = x[1], third = x[2], fourth = x[3];
        to[0] = first;
        to[kPlaces] = second;
        to[2 * kPlaces] = third;
        to[3 * kPlaces] = fourth;
      }
    }
    for (; left != 0; --left, x += x_c, to += kPlaces) *to = *x;
  });
}

// The sum of a column at one of `places` places of the rows, of the taps inside x.
[[gnu::noinline]] float sum_inside(const FloatRows& p, const WindowSides& sides, uint32_t column,
                                   const float* x, size_t places) {
  const float* w = p.w + column * size_t{p.kernel_h} * p.kernel_w * p.channels;
  float sum = p.bias != nullptr ? p.bias[column] : 0.0f;
  for_taps(p, sides, [&](bool inside, size_t) {
    for (uint32_t left = p.channels; left != 0; --left, x += places, ++w) {
      if (inside) sum += *x * *w;
    }
  });
  return sum;
}

// Writes the sums [count][kPlaces] of columns from one on.
template <uint32_t kPlaces>
[[gnu::noinline]] void put_sums(const FloatRows& p, uint32_t count, float* sums, Dst<float> y) {
  if (p.activate != nullptr) p.activate(p.activation, sums, count * kPlaces);
  const bool clamps = p.clamps;
  const float low = p.low, high = p.high;
  const size_t y_c = p.y_c, y_w = p.y_w;
  for (; count != 0; --count, y += y_c, sums += kPlaces) {
    Dst<float> to = y;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < kPlaces; ++i, to += y_w) {
      *to = clamps ? limited(sums[i], low, high) : sums[i];
    }
  }
}

// Computes all columns of four places or of one, from `place` on.
template <uint32_t kPlaces>
[[gnu::noinline]] void compute_places(const FloatRows& p, uint32_t line, uint32_t place) {
  const uint32_t depth = p.kernel_h * p.kernel_w * p.channels;
  Dst<float> y = p.y + line * p.y_h + place * p.y_w;
  bool inside = true;
  for (uint32_t i = 0; i < kPlaces; ++i) {
    const WindowSides sides(p, line, place + i);
    inside = inside && sides.is_inside(p);
    if (p.rows != nullptr) copy_window<kPlaces>(p, sides, p.rows + i);
  }
  for (uint32_t column = 0; column < p.columns; column += kTileColumns, y += kTileColumns * p.y_c) {
    const uint32_t left = p.columns - column;
    const uint32_t count = left < kTileColumns ? left : kTileColumns;
    // The last column takes the place of those that are missing, where fewer are left.
    const float* w[kTileColumns];
    float sums[kTileColumns * kPlaces];
    float* sum = sums;
#pragma GCC unroll 4
    for (uint32_t j = 0; j < kTileColumns; ++j) {
      const uint32_t at = column + (j < count ? j : count - 1);
      w[j] = p.w + size_t{at} * depth;
      const float bias = p.bias != nullptr ? p.bias[at] : 0.0f;
#pragma GCC unroll 4
      for (uint32_t i = 0; i < kPlaces; ++i) *sum++ = bias;
    }
    if constexpr (kPlaces == 4) {
      add_tile(w, p.rows, depth, sums);
    } else {
      add_rows(w, p.rows != nullptr ? p.rows : p.x, depth, sums);
    }
    if (!inside) {
      for (uint32_t e = 0; e < count * kPlaces; ++e) {
        if (sums[e] == sums[e]) continue;
        const uint32_t i = e % kPlaces;
        sums[e] = sum_inside(p, WindowSides(p, line, place + i), column + e / kPlaces, p.rows + i,
                             kPlaces);
      }
    }
    put_sums<kPlaces>(p, count, sums, y);
  }
}

inline void add_float_rows(const FloatRows& p, uint32_t line, uint32_t place, uint32_t end) {
  while (place < end) {
    const uint32_t places = float_places_at_once(end - place);
    if (places == 4) {
      compute_places<4>(p, line, place);
    } else {
      compute_places<1>(p, line, place);
    }
    place += places;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

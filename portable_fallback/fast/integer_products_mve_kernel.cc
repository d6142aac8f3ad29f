// Copies the windows of two places, and multiplies 16 numbers of a row and a column at once:
//
//   rows   x0 x1 x2 ... of place 0 | of place 1       bytes
//   w      a0 a1 a2 ... | b0 b1 b2 ... | ...          bytes of columns a, b, ...
//
// Each tile of two places by three columns keeps its sums in registers. Their results are made four
// columns at a time.
#include "portable_fallback/fast/integer_products_mve_kernel.h"

#include "portable_fallback/fast/integer_finish_mve.h"

namespace arenite {
namespace {

inline const int8_t* weights_of(const IntegerProducts& p, uint32_t column, uint32_t depth) {
  return static_cast<const int8_t*>(static_cast<const void*>(p.w)) + size_t{column} * depth;
}

inline uint32_t depth_of(const IntegerProducts& p) { return p.kernel_h * p.kernel_w * p.channels; }

// `count` elements of x, x_step apart.
inline int8_t* copy(int8_t* to, Src<std::byte> x, size_t x_step, uint32_t count) {
  if (x_step == 1) return mve::copy_bytes(to, x, count);
  for (; count != 0; --count, x += x_step) *to++ = static_cast<int8_t>(*x);
  return to;
}

constexpr uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
constexpr uint32_t larger(uint32_t a, uint32_t b) { return a < b ? b : a; }

// The window of one place.
void copy_window(const IntegerProducts& p, uint32_t line, uint32_t place, int8_t* to) {
  const int32_t outside = p.outside - p.added;
  const auto width = static_cast<int32_t>(p.in_w);
  const auto left = static_cast<int32_t>(place * p.stride_w) - static_cast<int32_t>(p.pad_w);
  const int32_t right = left + static_cast<int32_t>((p.kernel_w - 1) * p.dilation_w);
  // Of neighboring taps, [before, end) lie in x.
  const uint32_t before = left < 0 ? smaller(static_cast<uint32_t>(-left), p.kernel_w) : 0;
  const uint32_t end =
      left < width ? larger(before, smaller(static_cast<uint32_t>(width - left), p.kernel_w))
                   : before;
  auto ih = static_cast<int32_t>(line * p.stride_h) - static_cast<int32_t>(p.pad_h);
  for (uint32_t h = 0; h < p.kernel_h; ++h, ih += static_cast<int32_t>(p.dilation_h)) {
    if (ih < 0 || ih >= static_cast<int32_t>(p.in_h)) {
      to = mve::fill_bytes(to, outside, p.kernel_w * p.channels);
      continue;
    }
    const Src<std::byte> row = p.x + static_cast<size_t>(ih) * p.x_h;
    if (p.joined) {
      to = mve::fill_bytes(to, outside, before * p.channels);
      if (before < end) {
        const auto first = static_cast<size_t>(left + static_cast<int32_t>(before));
        to = copy(to, row + first * p.x_w, p.x_c, (end - before) * p.channels);
      }
      to = mve::fill_bytes(to, outside, (p.kernel_w - end) * p.channels);
      continue;
    }
    for (int32_t iw = left; iw <= right; iw += static_cast<int32_t>(p.dilation_w)) {
      if (iw < 0 || iw >= width) {
        to = mve::fill_bytes(to, outside, p.channels);
      } else {
        to = copy(to, row + static_cast<size_t>(iw) * p.x_w, p.x_c, p.channels);
      }
    }
  }
}

// The sums of some columns, whose results are made at once: whole tiles, and whole vectors.
constexpr uint32_t kColumnsAtOnce = kFinishedAtOnce;

template <uint32_t kPlaces>
void add_columns(const IntegerProducts& p, uint32_t depth, uint32_t column, uint32_t count,
                 int32_t* sums) {
  const int8_t* w = weights_of(p, column, depth);
  const auto* x = static_cast<const int8_t*>(static_cast<const void*>(p.rows));
  if constexpr (kPlaces == 2) {
    if (depth <= 16) return mve::add_short_columns<false>(w, x, depth, count, sums, kColumnsAtOnce);
    if (depth <= 32) return mve::add_short_columns<true>(w, x, depth, count, sums, kColumnsAtOnce);
    for (; count >= 3; count -= 3, w += size_t{3} * depth, sums += 3) {
      mve::add_two_by_three(w, x, depth, sums, kColumnsAtOnce);
    }
    for (; count != 0; --count, w += depth, ++sums) {
      mve::add_two_by_one(w, x, depth, sums, kColumnsAtOnce);
    }
  } else {
    for (; count >= 4; count -= 4, w += size_t{4} * depth, sums += 4) {
      mve::add_one_by_four(w, x, depth, sums);
    }
    for (; count != 0; --count, w += depth, ++sums) {
      mve::add_one_by_one(w, x, depth, sums);
    }
  }
}

template <uint32_t kPlaces>
void compute_places(const IntegerProducts& p, uint32_t line, uint32_t place, bool folds) {
  const uint32_t depth = depth_of(p);
  auto* rows = static_cast<int8_t*>(static_cast<void*>(p.rows));
  if (p.one_pixel && p.x_c == 1 && p.x_w == depth) {
    mve::copy_bytes(rows, p.x + line * p.x_h + size_t{place} * depth, kPlaces * depth);
  } else {
    for (uint32_t i = 0; i < kPlaces; ++i) {
      copy_window(p, line, place + i, rows + size_t{i} * depth);
    }
  }
  const Dst<int8_t> y = p.y + line * p.y_h + place * p.y_w;
  int32_t sums[kPlaces * kColumnsAtOnce];
  int32_t biases[kColumnsAtOnce];
  for (uint32_t column = 0; column < p.columns; column += kColumnsAtOnce) {
    const uint32_t left = p.columns - column;
    const uint32_t count = left < kColumnsAtOnce ? left : kColumnsAtOnce;
    if (folds) fold_products_mve(p, column, count, biases);
    add_columns<kPlaces>(p, depth, column, count, sums);
    finish(p.results, column, count,
           {sums, folds ? biases : p.results.bias + column, kPlaces, kColumnsAtOnce},
           {y + column * p.y_c, p.y_c, p.y_w});
  }
}

}  // namespace

void fold_products_mve(const IntegerProducts& p, uint32_t column, uint32_t count, int32_t* biases) {
  const uint32_t depth = depth_of(p);
  const size_t step = p.results.bias_step;
  const int32_t* bias = p.results.bias + column * step;
  const int8_t* w = weights_of(p, column, depth);
  for (; count != 0; --count, bias += step, w += depth) {
    const int32_t added = p.added == 0 ? 0 : mve::product(p.added, mve::sum_of_bytes(w, depth));
    *biases++ = mve::sum(*bias, added);
  }
}

void add_products_mve(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end,
                      bool folds) {
  while (place < end) {
    const uint32_t places = mve_places_at_once(end - place);
    if (places == 2) {
      compute_places<2>(p, line, place, folds);
    } else {
      compute_places<1>(p, line, place, folds);
    }
    place += places;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

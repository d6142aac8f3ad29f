// Keeps the sums of a tile in registers, so that each number that is loaded is multiplied by
// several:
//
//   rows   x0 of places 0 1 2 3 | x1 of places 0 1 2 3 | ...    16 bits, less the zero point
//   w      a0 a1 a2 ... | b0 b1 b2 ... | ...                    bytes, a row for each column
//
// 1. Of each place its window is copied to the rows, less the zero point, and what lies beside x.
// 2. A zero point of the weights adds the same to each sum of a place: that many times the sum of
//    its numbers.
// 3. Four places take two columns at once: 6 loads for 8 products. A single place takes four
//    columns: 5 loads for 4 products.
#include "portable_fallback/fast/integer_products_scalar_kernel.h"

// Instructions of CPUs with vectors would be in the way of comparing counts.
#define ARENITE_WITHOUT_DSP
#include "portable_fallback/fast/integer_finish_dsp.h"
#include "portable_fallback/fast/integer_tiles_scalar.h"

namespace arenite {
namespace {

// The window of one of `places` places.
[[gnu::noinline]] void copy_window(const IntegerProducts& p, uint32_t line, uint32_t place,
                                   int16_t* to, size_t places) {
  Lane lane(p, to, places);
  const auto width = static_cast<int32_t>(p.in_w);
  const auto left = static_cast<int32_t>(place * p.stride_w) - static_cast<int32_t>(p.pad_w);
  const int32_t right = left + static_cast<int32_t>((p.kernel_w - 1) * p.dilation_w);
  auto ih = static_cast<int32_t>(line * p.stride_h) - static_cast<int32_t>(p.pad_h);
  for (uint32_t h = 0; h < p.kernel_h; ++h, ih += static_cast<int32_t>(p.dilation_h)) {
    if (ih < 0 || ih >= static_cast<int32_t>(p.in_h)) {
      lane.fill(p.outside, p.kernel_w * p.channels);
      continue;
    }
    const Src<std::byte> row = p.x + static_cast<size_t>(ih) * p.x_h;
    if (p.joined && left >= 0 && right < width) {
      lane.copy(row + static_cast<size_t>(left) * p.x_w, p.x_c, p.kernel_w * p.channels);
      continue;
    }
    for (int32_t iw = left; iw <= right; iw += static_cast<int32_t>(p.dilation_w)) {
      if (iw < 0 || iw >= width) {
        lane.fill(p.outside, p.channels);
      } else {
        lane.copy(row + static_cast<size_t>(iw) * p.x_w, p.x_c, p.channels);
      }
    }
  }
}

// Computes all columns of four places or of one, some at once. Where fewer are left, the last one
// takes the place of those that there are not.
template <uint32_t kColumns, uint32_t kPlaces>
[[gnu::noinline]] void compute_columns(const IntegerProducts& p, uint32_t depth,
                                       const int32_t* of_places, Dst<int8_t> y) {
  static_assert(kColumns * kPlaces <= 8);
  const IntegerResults& results = p.results;
  const auto* x = static_cast<const int16_t*>(static_cast<const void*>(p.rows));
  const auto* w = static_cast<const int8_t*>(static_cast<const void*>(p.w));
  const size_t y_c = p.y_c, y_w = p.y_w;
  for (uint32_t column = 0; column < p.columns; column += kColumns, y += kColumns * y_c) {
    const uint32_t left = p.columns - column;
    const uint32_t count = left < kColumns ? left : kColumns;
    const int8_t* rows[kColumns];
    int32_t sums[8];
#pragma GCC unroll 4
    for (uint32_t j = 0; j < kColumns; ++j) {
      const uint32_t at = column + (j < count ? j : count - 1);
      rows[j] = w + size_t{at} * depth;
      const int32_t bias = results.bias[at * results.bias_step];
#pragma GCC unroll 4
      for (uint32_t i = 0; i < kPlaces; ++i) sums[j * kPlaces + i] = sum_of(bias, of_places[i]);
    }
    if constexpr (kPlaces == 4) {
      add_pair(rows[0], rows[1], x, depth, sums);
    } else {
      add_four(rows, x, depth, sums);
    }
    const uint32_t constant =
        constant_pair(results, column) | (kColumns == 4 ? constant_pair(results, column + 2) : 0);
    if (!results.small || count != kColumns || constant != 0) {
      finish<false>(results, column, count, sums, kPlaces, {y, y_c, y_w});
      continue;
    }
    Dst<int8_t> to = y;
#pragma GCC unroll 4
    for (uint32_t j = 0; j < kColumns; ++j, to += y_c) {
      const SmallFactor factor(results, column + j);
      Dst<int8_t> place = to;
#pragma GCC unroll 4
      for (uint32_t i = 0; i < kPlaces; ++i, place += y_w) {
        *place = factor.result(2 * sums[j * kPlaces + i]);
      }
    }
  }
}

// What the zero point of the weights adds to all sums of each place.
[[gnu::noinline]] void add_zero_points(const IntegerProducts& p, uint32_t depth, uint32_t places,
                                       int32_t* of_places) {
  const auto* x = static_cast<const int16_t*>(static_cast<const void*>(p.rows));
  for (uint32_t i = 0; i < places; ++i) {
    int32_t sum = 0;
    for (uint32_t k = 0; k < depth; ++k) sum += x[k * places + i];
    of_places[i] =
        static_cast<int32_t>(static_cast<uint32_t>(-p.w_zero_point) * static_cast<uint32_t>(sum));
  }
}

}  // namespace

void add_products_scalar(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  const uint32_t depth = depth_of(p);
  auto* rows = static_cast<int16_t*>(static_cast<void*>(p.rows));
  while (place < end) {
    const uint32_t places = scalar_places_at_once(end - place);
    for (uint32_t i = 0; i < places; ++i) copy_window(p, line, place + i, rows + i, places);
    int32_t of_places[4] = {};
    if (p.w_zero_point != 0) add_zero_points(p, depth, places, of_places);
    const Dst<int8_t> y = p.y + line * p.y_h + place * p.y_w;
    if (places == 4) {
      compute_columns<2, 4>(p, depth, of_places, y);
    } else {
      compute_columns<4, 1>(p, depth, of_places, y);
    }
    place += places;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

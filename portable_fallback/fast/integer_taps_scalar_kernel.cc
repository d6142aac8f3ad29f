// Multiplies runs of numbers that the rows hold by runs of the weights, as
// integer_products_scalar_kernel.cc does rows:
//
//   rows   x0 of places 0 1 2 3 | x1 of places 0 1 2 3 | ...    16 bits, less the zero point
//   w      a0 a1 a2 ... | b0 b1 b2 ... | ...                    bytes: a run begins anywhere
#include "portable_fallback/fast/integer_taps_scalar_kernel.h"

// Instructions of CPUs with vectors would be in the way of comparing counts.
#define ARENITE_WITHOUT_DSP
#include "portable_fallback/fast/integer_finish_dsp.h"
#include "portable_fallback/fast/integer_tiles_scalar.h"

namespace arenite {
namespace {

// Copies what one place reads of a group to every `places`th number.
[[gnu::noinline]] void copy_taps(const IntegerTaps& p, uint32_t group, uint32_t place, int16_t* to,
                                 size_t places) {
  Lane lane(p, to, places);
  const size_t x_c = p.x_c;
  const uint32_t channels = p.channels;
  const int32_t outside = p.outside;
  for_taps(
      p, group,
      place, [&](Src<std::byte> x) __attribute__((always_inline)) { lane.copy(x, x_c, channels); },
      [&]() __attribute__((always_inline)) { lane.fill(outside, channels); });
}

// What the zero point of the weights adds to all sums of each place.
[[gnu::noinline]] void add_zero_points(const IntegerTaps& p, const int16_t* x, uint32_t places,
                                       int32_t* of_places) {
  const uint32_t products = count_of(p.runs) * p.runs.length;
  for (uint32_t i = 0; i < places; ++i) {
    int32_t sum = 0;
    for (uint32_t k = 0; k < products; ++k) sum += x[k * places + i];
    of_places[i] =
        static_cast<int32_t>(static_cast<uint32_t>(-p.w_zero_point) * static_cast<uint32_t>(sum));
  }
}

// One copy of the code that makes results.
[[gnu::noinline]] void finish_columns(const IntegerTaps& p, uint32_t column, uint32_t count,
                                      const int32_t* sums, uint32_t places, Dst<int8_t> y) {
  finish<true>(p.results, column, count, sums, places, {y, p.y_c, p.y_w});
}

// Computes the columns of a group at four places or at one, some at once. Where fewer are left, the
// last one takes the place of those that there are not.
template <uint32_t kColumns, uint32_t kPlaces>
[[gnu::noinline]] void compute_group(const IntegerTaps& p, uint32_t group, const int16_t* rows,
                                     const int32_t (&of_places)[4], Dst<int8_t> y) {
  static_assert(kColumns * kPlaces <= 8);
  const IntegerResults& results = p.results;
  const auto* const w = static_cast<const int8_t*>(static_cast<const void*>(p.w));
  const uint32_t end = (group + 1) * p.columns;
  uint32_t column = group * p.columns;
  const size_t y_c = p.y_c, y_w = p.y_w;
  y += column * y_c;
  for (; column < end; column += kColumns, y += kColumns * y_c) {
    const uint32_t count = end - column < kColumns ? end - column : kColumns;
    const int8_t* of_columns[kColumns];
    int32_t sums[8];
    for (uint32_t j = 0; j < kColumns; ++j) {
      const uint32_t at = column + (j < count ? j : count - 1);
      of_columns[j] = w + size_t{at} * p.depth;
      const int32_t bias = results.bias[at * results.bias_step];
      for (uint32_t i = 0; i < kPlaces; ++i) sums[j * kPlaces + i] = sum_of(bias, of_places[i]);
    }
    const int16_t* x = rows;
    const uint32_t length = p.runs.length;
    for_runs(
        p.runs, [&](uint32_t k) __attribute__((always_inline)) {
          if constexpr (kPlaces == 4) {
            add_pair(of_columns[0] + k, of_columns[1] + k, x, length, sums);
          } else {
            add_four({of_columns[0] + k, of_columns[1] + k, of_columns[2] + k, of_columns[3] + k},
                     x, length, sums);
          }
          x += kPlaces * size_t{length};
        });
    const uint32_t constant = constant_pair(results, column & ~1u) |
                              constant_pair(results, (column + kColumns - 1) & ~1u) |
                              constant_pair(results, (column + 1) & ~1u);
    if (!results.small || constant != 0) {
      finish_columns(p, column, count, sums, kPlaces, y);
      continue;
    }
    for (uint32_t j = 0; j < count; ++j) {
      const SmallFactor factor(results, column + j);
      Dst<int8_t> place = y + j * y_c;
      for (uint32_t i = 0; i < kPlaces; ++i, place += y_w) {
        *place = factor.result(2 * sums[j * kPlaces + i]);
      }
    }
  }
}

}  // namespace

void add_taps_scalar(const IntegerTaps& p, uint32_t place, uint32_t end) {
  auto* const rows = static_cast<int16_t*>(static_cast<void*>(p.rows));
  while (place < end) {
    const uint32_t places = scalar_taps_at_once(end - place);
    const Dst<int8_t> y = p.y + place * p.y_w;
    for (uint32_t group = 0; group < p.groups; ++group) {
      for (uint32_t i = 0; i < places; ++i) copy_taps(p, group, place + i, rows + i, places);
      int32_t of_places[4] = {};
      if (p.w_zero_point != 0) add_zero_points(p, rows, places, of_places);
      if (places == 4) {
        compute_group<2, 4>(p, group, rows, of_places, y);
      } else {
        compute_group<4, 1>(p, group, rows, of_places, y);
      }
    }
    place += places;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

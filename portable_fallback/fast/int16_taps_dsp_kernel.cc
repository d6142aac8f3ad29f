// Copies what four places read to pairs of 16-bit numbers, and multiplies two at once, run by run,
// as integer_taps_dsp_kernel.cc does. Where fewer places are left, the tile's other sums are made
// for nothing: two places alone would take as many instructions. Sums of more products than 32 bits
// hold are added up in chunks of runs.
#include "portable_fallback/fast/int16_taps_dsp_kernel.h"

#include "portable_fallback/fast/int16_finish.h"
#include "portable_fallback/fast/int16_lane_dsp.h"
#include "portable_fallback/fast/integer_tap_rows_dsp.h"

namespace arenite {
namespace {

constexpr uint32_t kPlaces = 4;  // of a tile
constexpr int32_t kNothing[kPlaces] = {};

// Copies what one place reads of a group to every fourth word.
[[gnu::noinline]] void copy_taps(const IntegerTaps& p, uint32_t group, uint32_t place,
                                 uint32_t* to) {
  Lane lane(to, kPlaces);
  copy_tap_runs<int16_t>(p, group, place, p.outside, to, kPlaces, lane);
}

using TileSums = int32_t[2][kPlaces];

// Adds the products of a pair of columns to sums of 64 bits.
[[gnu::noinline]] void add_wide(const IntegerTaps& p, const std::byte* w, int64_t (&sums)[2][4]) {
  const auto add = [&](const Tile& tile) __attribute__((always_inline)) {
    const TileSums parts = {{tile.a0, tile.a1, tile.a2, tile.a3},
                            {tile.b0, tile.b1, tile.b2, tile.b3}};
    for (uint32_t j = 0; j < 2; ++j) {
      for (uint32_t i = 0; i < kPlaces; ++i) sums[j][i] += parts[j][i];
    }
  };
  if (count_of(p.runs) * p.runs.length <= kInt16ChunkDepth) {
    Tile tile(0, 0, kNothing);
    add_to(p, w, tile);
    return add(tile);
  }
  const uint32_t* x = p.rows;
  for_runs(
      p.runs, [&](uint32_t k) __attribute__((always_inline)) {
        const std::byte* at = w + size_t{2} * k;
        for (uint32_t left = p.runs.length; left != 0;) {
          const uint32_t chunk = left < kInt16ChunkDepth ? left : kInt16ChunkDepth;
          const uint32_t* const end = x + size_t{kPlaces} * (chunk / 2);
          Tile tile(0, 0, kNothing);
          add_words(at, x, end, tile);
          x = end;
          if (chunk % 2 != 0) {
            tile.add(load_half(at), x);
            x += kPlaces;
          }
          add(tile);
          left -= chunk;
        }
      });
}

// Computes the columns of a group at so many places; rows hold what these read.
[[gnu::noinline]] void compute_group(const IntegerTaps& p, const Int16Results& results,
                                     uint32_t group, uint32_t places, Dst<int16_t> of_place) {
  const bool is_small = places == kPlaces && SmallResults::takes(results);
  const size_t y_c = p.y_c, y_w = p.y_w;
  // The lambda captures what its loops need by value, so that it stays in registers.
  for_column_pairs(
      p, group, of_place,
      [&, y_c, y_w, is_small,
       places ](ColumnPair pair, Dst<int16_t> y) __attribute__((always_inline)) {
        const auto [column, first, count, w] = pair;
        if (results.sums == Int16Sums::kWide) {
          int64_t sums[2][kPlaces] = {};
          add_wide(p, w, sums);
          for (uint32_t j = 0; j < count; ++j) {
            const int64_t bias = results.bias_of(column + j);
            for (uint32_t i = 0; i < places; ++i) {
              const int32_t number = results.finish(results, bias + sums[first + j][i], column + j);
              y[j * y_c + i * y_w] = static_cast<int16_t>(number);
            }
          }
        } else {
          Tile tile(results.low_bias_of(column), results.low_bias_of(column + count - 1), kNothing);
          add_to(p, w, tile);
          const TileSums sums = {{tile.a0, tile.a1, tile.a2, tile.a3},
                                 {tile.b0, tile.b1, tile.b2, tile.b3}};
          if (is_small) {
            SmallResults small(results, column);
            for (uint32_t j = 0; j < count; ++j) {
              const SmallInt16Factor factor = small.next();
              Dst<int16_t> to = y + j * y_c;
#pragma GCC unroll 4
              for (uint32_t i = 0; i < kPlaces; ++i, to += y_w) {
                *to = small.result(factor, sums[first + j][i]);
              }
            }
          } else {
            finish_any(results, column, count, sums[first], kPlaces, 1, places, y, y_c, y_w);
          }
        }
      });
}

}  // namespace

void add_int16_taps_dsp(const IntegerTaps& p, const Int16Results& results, uint32_t place,
                        uint32_t end) {
  const Dst<int16_t> y = static_cast<int16_t*>(static_cast<void*>(p.y));
  while (place < end) {
    const uint32_t places = int16_dsp_taps_at_once(end - place);
    for (uint32_t group = 0; group < p.groups; ++group) {
      for (uint32_t i = 0; i < places; ++i) copy_taps(p, group, place + i, p.rows + i);
      compute_group(p, results, group, places, y + place * p.y_w);
    }
    place += places;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Widens what a few places read to pairs of 16-bit numbers, and multiplies two at once, run by run:
//
//   rows   x0 x1 of place 0 | of 1 | of 2 | of 3 | x2 x3 of place 0 | ...      of each run
//   w      a0 b0 a1 b1 | a2 b2 a3 b3 | ...    bytes of columns a and b: a run begins anywhere
//
// Groups of an odd number of columns share pairs with their neighbors: of such a pair one column's
// sums are made for nothing.
#include "portable_fallback/fast/integer_taps_dsp_kernel.h"

#include "portable_fallback/fast/integer_finish_dsp.h"
#include "portable_fallback/fast/integer_finish_once_dsp.h"
#include "portable_fallback/fast/integer_lane_dsp.h"
#include "portable_fallback/fast/integer_tap_rows_dsp.h"

namespace arenite {
namespace {

// The sums of two columns at two places.
using Sums = int32_t[2][2];

// Adds the products of a word of w to two columns' sums.
inline void add_word(uint32_t word, const uint32_t* x, Sums& sums) {
  const uint32_t first = dsp::even_bytes(word);
  const uint32_t second = dsp::odd_bytes(word);
  dsp::add_products(first, x[0], sums[0][0]);
  dsp::add_products(second, x[0], sums[1][0]);
  dsp::add_products(first, x[1], sums[0][1]);
  dsp::add_products(second, x[1], sums[1][1]);
}

// Copies what one place reads of a group to every `lanes`th word.
[[gnu::noinline]] void copy_taps(const IntegerTaps& p, uint32_t group, uint32_t place, uint32_t* to,
                                 size_t lanes) {
  Lane lane(p, to, lanes);
  const uint32_t outside = (static_cast<uint8_t>(p.outside - p.added) * 0x01010101u) ^ p.flip;
  copy_tap_runs<std::byte>(p, group, place, outside, to, lanes, lane);
}

// Copies what four places read of a group, whose taps along a line all lie in x; `left` is the
// first one's first. Words of four channels become two pairs at once, others are written number by
// number.
[[gnu::noinline]] void copy_four(const IntegerTaps& p, uint32_t group, uint32_t left) {
  const uint32_t flip = p.flip;
  const uint32_t added = dsp::pair_of(p.added, p.added);
  const uint32_t outside = dsp::pair_of(p.outside, p.outside);
  const auto above = static_cast<uint32_t>(p.added - (flip != 0 ? 128 : 0));
  const uint32_t channels = p.channels;
  const size_t x_c = p.x_c;
  const bool in_words = channels % 4 == 0 && x_c == 1;
  const uint32_t length = p.runs.length;
  const TapAxis &depth = p.axes[0], &height = p.axes[1], &width = p.axes[2];
  const size_t to_next = p.advance * width.x_step;
  const Src<std::byte> x = p.x + group * p.channels * x_c;
  uint32_t* to = p.rows;
  uint32_t in_run = 0;  // numbers of the run that are written
  const auto put_number = [&](uint32_t a, uint32_t b, uint32_t c, uint32_t d)
      __attribute__((always_inline)) {
    auto* const half = static_cast<std::byte*>(static_cast<void*>(to)) + in_run % 2 * 2;
    const uint16_t numbers[] = {static_cast<uint16_t>(a), static_cast<uint16_t>(b),
                                static_cast<uint16_t>(c), static_cast<uint16_t>(d)};
    for (uint32_t i = 0; i < 4; ++i) std::memcpy(half + i * 4, numbers + i, sizeof numbers[i]);
    ++in_run;
    if (in_run == length) {
      in_run = 0;
      to += 4;
    } else if (in_run % 2 == 0) {
      to += 4;
    }
  };
  int32_t id = depth.first;
  for (uint32_t d = depth.taps; d != 0; --d, id += depth.step) {
    int32_t ih = height.first;
    for (uint32_t h = height.taps; h != 0; --h, ih += height.step) {
      const bool has =
          static_cast<uint32_t>(id) < depth.input && static_cast<uint32_t>(ih) < height.input;
      if (!has) {
        uint32_t count = width.taps * channels;
        if (in_words) {
          for (count *= 2; count != 0; --count) *to++ = outside;
        } else {
          for (; count != 0; --count) put_number(outside, outside, outside, outside);
        }
        continue;
      }
      const Src<std::byte> row = x + (static_cast<uint32_t>(id) * depth.x_step +
                                      static_cast<uint32_t>(ih) * height.x_step);
      uint32_t iw = left;
      for (uint32_t v = width.taps; v != 0; --v, iw += static_cast<uint32_t>(width.step)) {
        Src<std::byte> x0 = row + iw * width.x_step;
        Src<std::byte> x1 = x0 + to_next;
        Src<std::byte> x2 = x1 + to_next;
        Src<std::byte> x3 = x2 + to_next;
        if (in_words) {
          for (uint32_t c = channels; c != 0; c -= 4, to += 8) {
            put_word(load_word(x0) ^ flip, added, to, to + 4);
            put_word(load_word(x1) ^ flip, added, to + 1, to + 5);
            put_word(load_word(x2) ^ flip, added, to + 2, to + 6);
            put_word(load_word(x3) ^ flip, added, to + 3, to + 7);
            x0 += 4, x1 += 4, x2 += 4, x3 += 4;
          }
          continue;
        }
        const auto number = [&](Src<std::byte> at) __attribute__((always_inline)) {
          const std::byte byte = *at;
          return above + (flip != 0 ? static_cast<uint32_t>(byte)
                                    : static_cast<uint32_t>(static_cast<int8_t>(byte)));
        };
        for (uint32_t c = channels; c != 0; --c) {
          put_number(number(x0), number(x1), number(x2), number(x3));
          x0 += x_c, x1 += x_c, x2 += x_c, x3 += x_c;
        }
      }
    }
  }
}

// Whether all taps of four places along a line lie in x.
inline bool are_inside(const IntegerTaps& p, uint32_t place) {
  const TapAxis& width = p.axes[2];
  if (width.taps == 0) return false;
  const int32_t left = width.first + static_cast<int32_t>(place * p.advance);
  const int32_t right = left + static_cast<int32_t>(3 * p.advance);
  const int32_t reach = static_cast<int32_t>(width.taps - 1) * width.step;
  const int32_t lowest = reach < 0 ? left + reach : left;
  const int32_t highest = reach < 0 ? right : right + reach;
  return lowest >= 0 && highest < static_cast<int32_t>(width.input);
}

// What the zero point of the weights adds to all sums of each place.
[[gnu::noinline]] void add_zero_points(const IntegerTaps& p, uint32_t places, uint32_t lanes,
                                       int32_t* of_places) {
  for (uint32_t i = 0; i < places; ++i) {
    const uint32_t* pair = p.rows + i;
    int32_t sum = 0;
    for (uint32_t runs = count_of(p.runs); runs != 0; --runs) {
      for (uint32_t words = p.runs.length / 2; words != 0; --words, pair += lanes) {
        dsp::add_products(*pair, 0x00010001, sum);
      }
      if (p.runs.length % 2 == 0) continue;
      sum += dsp::load_lower(pair);
      pair += lanes;
    }
    const uint32_t added = static_cast<uint32_t>(-p.w_zero_point) * static_cast<uint32_t>(sum);
    of_places[i] = static_cast<int32_t>(added);
  }
}

// Adds the products of a pair of columns at two places, of which they may be all that a single one
// needs.
inline void add_to(const IntegerTaps& p, const std::byte* w, Sums& sums) {
  const uint32_t* x = p.rows;
  for_runs(
      p.runs, [&](uint32_t k) __attribute__((always_inline)) {
        const std::byte* at = w + size_t{2} * k;
        for (uint32_t left = p.runs.length / 2; left != 0; --left, at += 4, x += 2) {
          add_word(dsp::load_word(at), x, sums);
        }
        if (p.runs.length % 2 != 0) {
          add_word(load_half(at), x, sums);
          x += 2;
        }
      });
}

// Whether results of a column, or of it and the next, are made as SmallFactor makes them.
inline bool are_small(const IntegerResults& results, uint32_t column, uint32_t count) {
  if (!results.small) return false;
  const uint32_t constant = constant_pair(results, column & ~1u);
  return (constant & (count == 2 ? 3 : 1u << column % 2)) == 0;
}

inline void put_four(const SmallFactor& factor, int32_t a, int32_t b, int32_t c, int32_t d,
                     Dst<int8_t> y, size_t y_w) {
  y[0] = factor.result(dsp::doubled(a));
  y[y_w] = factor.result(dsp::doubled(b));
  y[2 * y_w] = factor.result(dsp::doubled(c));
  y[3 * y_w] = factor.result(dsp::doubled(d));
}

// Puts four results that are rounded in float32.
inline void put_four(const FloatFactor& factor, int32_t zero_point, int32_t (&&sums)[4],
                     Dst<int8_t> y, size_t y_w) {
  multiply_four(sums, factor, factor, factor, factor);
#pragma GCC unroll 4
  for (uint32_t i = 0; i < 4; ++i, y += y_w) {
    *y = float_result(sums[i], zero_point);
  }
}

// Computes the columns of a group at four places; rows hold what these read.
[[gnu::noinline]] void compute_four(const IntegerTaps& p, uint32_t group,
                                    const int32_t (&of_places)[4], Dst<int8_t> of_place) {
  const IntegerResults& results = p.results;
  const size_t y_c = p.y_c, y_w = p.y_w;
  for_column_pairs(
      p, group,
      of_place, [&](const ColumnPair& pair, Dst<int8_t> y) __attribute__((always_inline)) {
        const auto [column, first, count, w] = pair;
        const int32_t* const bias = results.bias + column * results.bias_step;
        Tile tile(bias[0], bias[count == 2 ? results.bias_step : 0], of_places);
        add_to(p, w, tile);
        if (are_small(results, column, count)) {
          if (first == 0) {
            put_four({results, column}, tile.a0, tile.a1, tile.a2, tile.a3, y, y_w);
          }
          if (first != 0 || count == 2) {
            const uint32_t last = column + count - 1;
            put_four({results, last}, tile.b0, tile.b1, tile.b2, tile.b3, y + (count - 1) * y_c,
                     y_w);
          }
        } else if (FloatResults::takes(results)) {
          const int32_t zero_point = results.zero_point;
          if (first == 0) {
            put_four({results, column}, zero_point, {tile.a0, tile.a1, tile.a2, tile.a3}, y, y_w);
          }
          if (first != 0 || count == 2) {
            const uint32_t last = column + count - 1;
            put_four({results, last}, zero_point, {tile.b0, tile.b1, tile.b2, tile.b3},
                     y + (count - 1) * y_c, y_w);
          }
        } else {
          const int32_t sums[2][4] = {{tile.a0, tile.a1, tile.a2, tile.a3},
                                      {tile.b0, tile.b1, tile.b2, tile.b3}};
          finish_results<true>(results, column, count, sums[first], 4, y, y_c, y_w);
        }
      });
}

// The same at two places or one.
[[gnu::noinline]] void compute_two(const IntegerTaps& p, uint32_t group, uint32_t places,
                                   const int32_t (&of_places)[4], Dst<int8_t> of_place) {
  const IntegerResults& results = p.results;
  const size_t y_c = p.y_c, y_w = p.y_w;
  for_column_pairs(
      p, group,
      of_place, [&](const ColumnPair& pair, Dst<int8_t> y) __attribute__((always_inline)) {
        const auto [column, first, count, w] = pair;
        const int32_t* const bias = results.bias + column * results.bias_step;
        Sums sums;
        for (uint32_t i = 0; i < 2; ++i) {
          sums[0][i] = wrapped_sum(bias[0], of_places[i]);
          sums[1][i] = wrapped_sum(bias[count == 2 ? results.bias_step : 0], of_places[i]);
        }
        add_to(p, w, sums);
        if (are_small(results, column, count)) {
          for (uint32_t j = 0; j < count; ++j) {
            const SmallFactor factor(results, column + j);
            const Dst<int8_t> to = y + j * y_c;
            for (uint32_t i = 0; i < places; ++i) {
              to[i * y_w] = factor.result(dsp::doubled(sums[first + j][i]));
            }
          }
        } else {
          int32_t packed[4];
          for (uint32_t j = 0; j < count; ++j) {
            for (uint32_t i = 0; i < places; ++i) packed[j * places + i] = sums[first + j][i];
          }
          finish_results<true>(results, column, count, packed, places, y, y_c, y_w);
        }
      });
}

template <uint32_t kLanes>
void compute_places(const IntegerTaps& p, uint32_t place, uint32_t places) {
  const Dst<int8_t> y = p.y + place * p.y_w;
  for (uint32_t group = 0; group < p.groups; ++group) {
    if (kLanes == 4 && are_inside(p, place)) {
      copy_four(p, group, static_cast<uint32_t>(p.axes[2].first) + place * p.advance);
    } else {
      for (uint32_t i = 0; i < places; ++i) copy_taps(p, group, place + i, p.rows + i, kLanes);
    }
    int32_t of_places[4] = {};
    if (p.w_zero_point != 0) add_zero_points(p, places, kLanes, of_places);
    if constexpr (kLanes == 4) {
      compute_four(p, group, of_places, y);
    } else {
      compute_two(p, group, places, of_places, y);
    }
  }
}

}  // namespace

void add_taps_dsp(const IntegerTaps& p, uint32_t place, uint32_t end) {
  while (place < end) {
    const uint32_t places = dsp_taps_at_once(end - place);
    if (places == 4) {
      compute_places<4>(p, place, 4);
    } else {
      compute_places<2>(p, place, places);
    }
    place += places;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Multiplies pairs of activations, which are pairs of 16 bits in memory, by weights that are
// widened as they are loaded:
//
//   rows   x0 x1 of place 0 | of 1 | of 2 | of 3 | x2 x3 of place 0 | ...
//   w      a0 b0 a1 b1 | a2 b2 a3 b3 | ...   bytes of columns a and b: even ones are a's pair
//
// Four places take two columns at once, by the loop of integer_tile_dsp.h; a single one takes four.
// Sums of more products than 32 bits hold are added up in chunks.
#include "portable_fallback/fast/int16_products_dsp_kernel.h"

#include "portable_fallback/fast/int16_finish.h"
#include "portable_fallback/fast/int16_lane_dsp.h"
#include "portable_fallback/fast/int16_windows.h"
#include "portable_fallback/fast/integer_tile_dsp.h"

namespace arenite {
namespace {

// The pair of numbers at x, or of the last one and 0.
inline uint32_t load_pair(Src<int16_t> x, size_t count = 2) {
  uint32_t pair = 0;
  take(static_cast<int16_t*>(static_cast<void*>(&pair)), x, count);
  return pair;
}

constexpr int32_t kNothing[4] = {};

// Adds the products of whole words, and of the half word that may follow, to the sums of a tile.
inline void add_tile(const std::byte* w, const uint32_t* x, uint32_t depth, Tile& tile) {
  const uint32_t* const end = x + size_t{4} * (depth / 2);
  add_words(w, x, end, tile);
  if (depth % 2 != 0) tile.add(load_half(w), end);
}

// Results of sums of 64 bits of two columns at four places.
[[gnu::noinline]] void compute_wide_pair(const Int16Products& p, uint32_t depth, uint32_t column,
                                         uint32_t count, uint32_t places, Dst<int16_t> y) {
  const Int16Results& results = p.results;
  int64_t sums[8];
  for (uint32_t i = 0; i < 8; ++i) {
    sums[i] = results.bias_of(column + (i / 4 < count ? i / 4 : 0));
  }
  const std::byte* w = p.w + size_t{column} * depth;
  const uint32_t* x = p.rows;
  for (uint32_t left = depth; left != 0;) {
    const uint32_t chunk = left < kInt16ChunkDepth ? left : kInt16ChunkDepth;
    Tile tile(0, 0, kNothing);
    add_tile(w, x, chunk, tile);
    const int32_t parts[8] = {tile.a0, tile.a1, tile.a2, tile.a3,
                              tile.b0, tile.b1, tile.b2, tile.b3};
    for (uint32_t i = 0; i < 8; ++i) sums[i] += parts[i];
    w += 2 * chunk;
    x += 2 * chunk;
    left -= chunk;
  }
  for (uint32_t j = 0; j < count; ++j, y += p.y_c) {
    for (uint32_t i = 0; i < places; ++i) {
      y[i * p.y_w] = static_cast<int16_t>(results.finish(results, sums[4 * j + i], column + j));
    }
  }
}

// Computes whole pairs of columns of four places with small results; returns the first column that
// is left.
[[gnu::noinline]] uint32_t compute_small_pairs(const Int16Products& p, uint32_t depth,
                                               Dst<int16_t> y) {
  SmallResults results(p.results, 0);
  const std::byte* w = p.w;
  const uint32_t* const end = p.rows + size_t{4} * (depth / 2);
  const size_t y_c = p.y_c, y_w = p.y_w, bias_step = p.results.bias_step;
  const int64_t* bias = p.results.wide_bias;
  uint32_t column = 0;
  for (; column + 2 <= p.columns; column += 2, y += 2 * y_c) {
    Tile tile(static_cast<int32_t>(bias[0]), static_cast<int32_t>(bias[bias_step]), kNothing);
    bias += 2 * bias_step;
    add_words(w, p.rows, end, tile);
    if (depth % 2 != 0) {
      tile.add(load_half(w), end);
      w += 2;
    }
    const SmallInt16Factor a = results.next();
    Dst<int16_t> to = y;
    *to = results.result(a, tile.a0);
    to += y_w;
    *to = results.result(a, tile.a1);
    to += y_w;
    *to = results.result(a, tile.a2);
    to += y_w;
    *to = results.result(a, tile.a3);
    const SmallInt16Factor b = results.next();
    to = y + y_c;
    *to = results.result(b, tile.b0);
    to += y_w;
    *to = results.result(b, tile.b1);
    to += y_w;
    *to = results.result(b, tile.b2);
    to += y_w;
    *to = results.result(b, tile.b3);
  }
  return column;
}

// Computes all columns of three or four places, two at once; rows hold what these read.
[[gnu::noinline]] void compute_places(const Int16Products& p, uint32_t depth, uint32_t places,
                                      Dst<int16_t> y) {
  const Int16Results& results = p.results;
  uint32_t column = 0;
  if (places == 4 && SmallResults::takes(results)) column = compute_small_pairs(p, depth, y);
  y += column * p.y_c;
  for (; column < p.columns; column += 2, y += 2 * p.y_c) {
    const uint32_t count = column + 1 == p.columns ? 1 : 2;
    if (results.sums == Int16Sums::kWide) {
      compute_wide_pair(p, depth, column, count, places, y);
      continue;
    }
    Tile tile(results.low_bias_of(column), results.low_bias_of(column + count - 1), kNothing);
    add_tile(p.w + size_t{column} * depth, p.rows, depth, tile);
    const int32_t sums[8] = {tile.a0, tile.a1, tile.a2, tile.a3,
                             tile.b0, tile.b1, tile.b2, tile.b3};
    finish_any(results, column, count, sums, 4, 1, places, y, p.y_c, p.y_w);
  }
}

// Adds the products of one place and the pairs of columns at w and w_next.
[[gnu::noinline]] void add_four_columns(const std::byte* w, const std::byte* w_next, Src<int16_t> x,
                                        uint32_t depth, int32_t (&sums)[4]) {
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  const auto add = [&](uint32_t word, uint32_t next, uint32_t pair) {
    dsp::add_products(dsp::even_bytes(word), pair, s0);
    dsp::add_products(dsp::odd_bytes(word), pair, s1);
    dsp::add_products(dsp::even_bytes(next), pair, s2);
    dsp::add_products(dsp::odd_bytes(next), pair, s3);
  };
#pragma GCC unroll 4
  for (uint32_t words = depth / 2; words != 0; --words, w += 4, w_next += 4, x += 2) {
    add(dsp::load_word(w), dsp::load_word(w_next), load_pair(x));
  }
  if (depth % 2 != 0) add(load_half(w), load_half(w_next), load_pair(x, 1));
  sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

// Computes all columns of one place, four at once; where fewer are left, the first pair takes the
// place of the other.
[[gnu::noinline]] void compute_one_place(const Int16Products& p, uint32_t depth, Src<int16_t> x,
                                         Dst<int16_t> y) {
  const Int16Results& results = p.results;
  for (uint32_t column = 0; column < p.columns; column += 4, y += 4 * p.y_c) {
    const uint32_t left = p.columns - column;
    const uint32_t count = left < 4 ? left : 4;
    const std::byte* w = p.w + size_t{column} * depth;
    const size_t next = count > 2 ? size_t{2} * depth : 0;
    int32_t sums[4] = {};
    if (results.sums != Int16Sums::kWide) {
      for (uint32_t j = 0; j < count; ++j) sums[j] = results.low_bias_of(column + j);
      add_four_columns(w, w + next, x, depth, sums);
      if (SmallResults::takes(results)) {
        SmallResults small(results, column);
        for (uint32_t j = 0; j < count; ++j) {
          y[j * p.y_c] = small.result(small.next(), sums[j]);
        }
      } else {
        finish_any(results, column, count, sums, 1, 0, 1, y, p.y_c, 0);
      }
      continue;
    }
    int64_t wide[4] = {};
    for (uint32_t j = 0; j < count; ++j) wide[j] = results.bias_of(column + j);
    for (uint32_t k = 0; k < depth; k += kInt16ChunkDepth) {
      const uint32_t chunk = depth - k < kInt16ChunkDepth ? depth - k : kInt16ChunkDepth;
      int32_t parts[4] = {};
      add_four_columns(w + 2 * k, w + next + 2 * k, x + k, chunk, parts);
      for (uint32_t j = 0; j < 4; ++j) wide[j] += parts[j];
    }
    for (uint32_t j = 0; j < count; ++j) {
      y[j * p.y_c] = static_cast<int16_t>(results.finish(results, wide[j], column + j));
    }
  }
}

}  // namespace

void add_int16_products_dsp(const Int16Products& p, uint32_t line, uint32_t place, uint32_t end) {
  const uint32_t depth = p.kernel_h * p.kernel_w * p.channels;
  while (place < end) {
    const Dst<int16_t> y = p.y + line * p.y_h + place * p.y_w;
    if (p.in_place) return compute_one_place(p, depth, p.x, y);
    const uint32_t places = int16_dsp_places_at_once(end - place);
    if (places == 1) {
      copy_window(p, line, place, Lane(p.rows, 1));
      const auto* row = static_cast<const int16_t*>(static_cast<const void*>(p.rows));
      compute_one_place(p, depth, Src<int16_t>(row), y);
    } else {
      // Where three are left, the last one is copied twice.
      for (uint32_t i = 0; i < 4; ++i) {
        copy_window(p, line, place + (i < places ? i : places - 1), Lane(p.rows + i, 4));
      }
      compute_places(p, depth, places, y);
    }
    place += places;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

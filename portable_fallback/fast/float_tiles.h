// Adds float products in tiles that stay in vector registers, compiled for each instruction set by
// a file that says how wide its vectors are.
//
// 1. Products are cut into chunks of at most kProductDepth, columns into strips, rows into tiles.
// 2. A chunk's weights for a strip stay in the L2 cache, a tile's rows of x in the L1 cache.
// 3. A tile finds its rows of x by a pointer for each row, or by one and the step between them.
//    Where taps have few channels, a table says how far each of them is from there; where many are
//    not side by side, rows are copied. Tiles of many rows ask for weights that come next.
// 4. The tile's sums are loaded, the chunk's products added, and the sums stored. A tile whose
//    windows leave x adds runs of taps, each for the rows that have them.
//
// Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008; pointers in
// place of copies: Dukhan, "The indirect convolution algorithm", 2019 (arXiv 1907.02129).
#pragma once

#include <bit>

#include "portable_fallback/fast/float_copies.h"
#include "portable_fallback/fast/float_places.h"
#include "portable_fallback/fast/float_tile.h"

namespace arenite {
namespace {

class Products {
 public:
  Products(const FloatProducts& p, const FloatRange& range)
      : p_(p), range_(range), depth_(p.kernel_h * p.kernel_w * p.channels) {}

  void run() {
    for (chunk_ = chunk_at(0);; chunk_ = chunk_at(chunk_.k + chunk_.products())) {
      if (p_.by_table) find_taps(p_, to_taps_);
      for (uint32_t column = range_.column; column < range_.column_end; column += strip_.columns) {
        strip_ = strip_at(column);
        add_strip();
      }
      if (is_last()) return;
    }
  }

 private:
  bool is_last() const { return chunk_.k + chunk_.products() == depth_; }

  Chunk chunk_at(uint32_t k) const {
    const uint32_t tap = k / p_.channels;
    Chunk chunk = {k, 1, 0, {tap / p_.kernel_w, tap % p_.kernel_w}, k % p_.channels};
    const uint32_t in_tap = p_.channels - chunk.channel;
    // Chunks of a tap are about as deep as each other.
    const uint32_t chunks = (p_.channels + kProductDepth - 1) / kProductDepth;
    const uint32_t depth = (p_.channels + chunks - 1) / chunks;
    chunk.depth = in_tap < depth ? in_tap : depth;
    if (chunk.depth == p_.channels) {
      const uint32_t left = depth_ - k < kProductDepth ? depth_ - k : kProductDepth;
      chunk.taps = left / p_.channels;
      if (p_.x_copy == nullptr && !p_.by_table && chunk.taps > kTaps) chunk.taps = kTaps;
    }
    return chunk;
  }

  Strip strip_at(uint32_t column) const {
    const uint32_t left = range_.column_end - column;
    const bool whole = p_.padded || (p_.w_n == 1 && left >= kPanel);
    // One row widens weights as it reads them: a copy would take longer than its products.
    const bool one_row = range_.row_end - range_.row == 1 && !p_.by_table;
    if (whole && (p_.w_type == WeightType::kFloat32 || one_row)) {
      const size_t to_strip = column / kPanel * p_.w_panel + chunk_.k * p_.w_k;
      return {column,
              p_.padded ? left : left / kPanel * kPanel,
              weights_at(p_.w, p_.w_type, to_strip),
              p_.w_type,
              p_.w_k,
              p_.w_panel};
    }
    const uint32_t most =
        copied_columns(p_.w_type, depth_ < kProductDepth ? depth_ : kProductDepth);
    const uint32_t columns = left < most ? left : most;
    switch (p_.w_type) {
      case WeightType::kFloat32:
        copy_weights<float>(p_, column, columns, chunk_);
        break;
      case WeightType::kFloat16:
        copy_weights<Float16>(p_, column, columns, chunk_);
        break;
      case WeightType::kBfloat16:
        copy_weights<Bfloat16>(p_, column, columns, chunk_);
        break;
    }
    return {column,    columns,
            p_.w_copy, WeightType::kFloat32,
            kPanel,    size_t{chunk_.products()} * kPanel};
  }

  void add_strip() {
    bool odd = false;
    // A single tile takes less time than its weights, whatever is asked for.
    const bool asks = range_.row_end - range_.row > kTileRows && strip_.w != p_.w_copy;
    ahead_ = asks ? to_next_chunk() : 0;
    for_tiles(p_, range_, [&](const Places& places, uint32_t rows, bool inside) {
      if (p_.x_copy != nullptr) copy_rows(p_, places, rows, chunk_, inside);
      if (inside) {
        add(chunk_, places, (1u << rows) - 1, {chunk_.k == 0, is_last()});
      } else {
        add_edges(places, rows);
      }
      // Tiles take turns in asking for both panels.
      if (ahead_ != 0) ahead_ += odd ? -p_.w_panel : p_.w_panel;
      odd = !odd;
    });
  }

  // From weights to those of the same panel in the next chunk, or in the first chunk of the next
  // range of columns.
  size_t to_next_chunk() const {
    if (!is_last()) return chunk_.products() * p_.w_k;
    if (range_.column_end >= p_.columns) return 0;
    return (range_.column_end - range_.column) / kPanel * p_.w_panel - chunk_.k * p_.w_k;
  }

  // Adds the chunk in runs of taps that lie inside of x for the same rows.
  void add_edges(const Places& places, uint32_t rows) {
    const uint32_t all = (1u << rows) - 1;
    Chunk run = chunk_;
    run.taps = 0;
    if (chunk_.k == 0) add(run, places, all, {.start = true});
    uint32_t inside = 0;
    Tap tap = chunk_.tap;
    for (uint32_t t = 0; t < chunk_.taps; ++t, move_on(p_, tap)) {
      const uint32_t of_tap = rows_inside(p_, places, rows, tap);
      if (of_tap != inside || run.taps == kTaps) {
        add(run, places, inside, {});
        run = {run.k + run.products(), 0, run.depth, tap, run.channel};
        inside = of_tap;
      }
      ++run.taps;
    }
    add(run, places, inside, {});
    run.taps = 0;
    if (is_last() && p_.end != FloatEnd::kSum) add(run, places, all, {.end = true});
  }

  struct Sums {
    bool start = false, end = false;  // at the bias; they are final
  };

  // Adds a part of the chunk, whose taps lie inside of x, to the rows of the mask `which`.
  void add(const Chunk& part, const Places& places, uint32_t which, const Sums& sums) {
    if (which == 0) return;
    Tile tile;
    const size_t done = part.k - chunk_.k;
    const ptrdiff_t to_first = to_tap(p_, part.tap, part.channel);
    // No pointer is made to a place outside of x.
    const ptrdiff_t to_x = p_.by_table ? 0 : to_first;
    const size_t to_column = strip_.column * p_.y_c;
    const bool none_missing = (which & (which + 1)) == 0;
    const auto x_of = [&](uint32_t row) -> const float* {
      if (p_.x_copy != nullptr) return p_.x_copy + row * size_t{chunk_.products()} + done;
      return at_element(p_.x, part.taps != 0 ? places.x_of(p_, row) + to_x : 0);
    };
    tile.even = kManyRows && none_missing && places.neighbors && part.taps != 0 && !p_.by_table;
    tile.x_step = p_.x_copy != nullptr ? chunk_.products() : p_.stride_w * p_.x_w;
    tile.y_step = p_.y_w;
    uint32_t rows = 0;
    if (tile.even) {
      rows = static_cast<uint32_t>(std::bit_width(which));
      tile.x[0] = x_of(0);
      tile.y[0] = places.y[0] + to_column;
    } else {
      for (uint32_t r = 0; which >> r != 0; ++r) {
        if ((which >> r & 1u) == 0) continue;
        tile.y[rows] = places.y_of(p_, r) + to_column;
        tile.x[rows++] = x_of(r);
      }
    }
    tile.taps = part.taps;
    tile.depth = part.depth;
    tile.to_tap[0] = 0;
    tile.to_taps = p_.by_table ? to_taps_ + done / p_.channels : nullptr;
    tile.x_c = p_.x_c;
    tile.table_step = 0;
    if (places.neighbors && none_missing && p_.x_w == 1) tile.table_step = p_.stride_w;
    if (p_.x_copy != nullptr) {
      // The taps lie side by side.
      tile.taps = part.taps != 0 ? 1 : 0;
      tile.depth = part.products();
    }
    Tap tap = part.tap;
    for (uint32_t t = 1; t < tile.taps && !p_.by_table; ++t) {
      move_on(p_, tap);
      tile.to_tap[t] = static_cast<int32_t>(to_tap(p_, tap, part.channel) - to_first);
    }
    tile.w_type = strip_.w_type;
    tile.w_k = strip_.w_k;
    tile.w_panel = strip_.w_panel;
    tile.ahead = ahead_;
    tile.first = sums.start;
    tile.has_residual = sums.start && p_.residual != nullptr;
    tile.end = sums.end ? &p_ : nullptr;
    for (uint32_t c = 0; c < strip_.columns; c += kTileColumns) {
      const uint32_t left = strip_.columns - c;
      const size_t to_tile = c / kPanel * strip_.w_panel + done * strip_.w_k;
      tile.w = weights_at(strip_.w, strip_.w_type, to_tile);
      tile.bias = p_.bias == nullptr ? nullptr : p_.bias + strip_.column + c;
      tile.residual = p_.residual;
      tile.y_of_residual = p_.y;
      add_any(tile, rows, left < kTileColumns ? left : kTileColumns, p_.y_c);
      const uint32_t pointers = tile.even ? 1 : rows;
      for (uint32_t r = 0; r < pointers; ++r) tile.y[r] += kTileColumns * p_.y_c;
    }
  }

  const FloatProducts& p_;
  const FloatRange& range_;
  const uint32_t depth_;
  Chunk chunk_;
  Strip strip_;
  size_t ahead_ = 0;  // elements from weights to those that will be wanted
  int32_t to_taps_[kTableTaps];
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Adds float products in tiles that stay in vector registers: one source in the vector types of GCC
// and Clang, compiled for each instruction set by a file that says how wide its vectors are.
//
// 1. Products are cut into chunks of at most kDepth, columns into strips, rows into tiles.
// 2. A chunk's weights for a strip stay in the L2 cache, a tile's rows of x in the L1 cache.
// 3. A tile finds its rows of x: by a pointer for each tap and row, or, where a tap has few
//    channels or they are not side by side, by copying them to the stack.
// 4. The tile's sums are loaded, the chunk's products added, and the sums stored.
//
// Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008; pointers in
// place of copies: Dukhan, "The indirect convolution algorithm", 2019 (arXiv 1907.02129).
#pragma once

#include "portable_fallback/fast/float_products.h"

namespace arenite {
// Of each kernel's file alone: what two of them shared would be compiled for one of both machines.
namespace {

constexpr uint32_t kPanel = kProductColumns;
constexpr uint32_t kDepth = 256;       // products of a chunk
constexpr uint32_t kTaps = 16;         // at most, of a chunk whose rows are found by pointers
constexpr uint32_t kFewChannels = 16;  // a tap of fewer is copied
constexpr uint32_t kTilePanels = 2;
constexpr uint32_t kTileColumns = kTilePanels * kPanel;

// kVectorBytes, kTileRows and kPanelsOfTile are the including file's.
constexpr uint32_t kLanes = kVectorBytes / sizeof(float);
typedef float Vector __attribute__((vector_size(kVectorBytes)));
typedef float StoredVector __attribute__((vector_size(kVectorBytes), aligned(4), may_alias));

constexpr float kZeros[kDepth] = {};

inline Vector load(const float* from) {
  return *static_cast<const StoredVector*>(static_cast<const void*>(from));
}
inline void store(float* to, Vector v) { *static_cast<StoredVector*>(static_cast<void*>(to)) = v; }

// One tile and one chunk.
struct Tile {
  const float* const* x;  // [taps][kTileRows]: each row's channels
  uint32_t taps, depth;   // of each tap
  const float* w;
  size_t w_k, w_panel;
  float* y[kTileRows];
  const float* bias;  // that the sums start at; null: at zero, or at y's if not `first`
  bool first, clamps;
  float low, high;
};

// Not inlined: beside the variables of its callers, GCC keeps pointers to x out of registers.
template <uint32_t kRows, uint32_t kPanels>
[[gnu::noinline]] void add_tile(const Tile& tile) {
  constexpr uint32_t kInPanel = kPanel / kLanes;
  constexpr uint32_t kVectors = kPanels * kInPanel;
  Vector sums[kRows][kVectors];
#pragma GCC unroll 16
  for (uint32_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (uint32_t v = 0; v < kVectors; ++v) {
      if (!tile.first) {
        sums[r][v] = load(tile.y[r] + v * kLanes);
      } else {
        sums[r][v] = tile.bias != nullptr ? load(tile.bias + v * kLanes) : Vector{};
      }
    }
  }
  const float* w = tile.w;
  for (uint32_t t = 0; t < tile.taps; ++t) {
    const float* x[kRows];
#pragma GCC unroll 16
    for (uint32_t r = 0; r < kRows; ++r) x[r] = tile.x[t * kTileRows + r];
    for (size_t c = 0; c < tile.depth; ++c) {
      Vector weights[kVectors];
#pragma GCC unroll 16
      for (uint32_t v = 0; v < kVectors; ++v) {
        weights[v] = load(w + v / kInPanel * tile.w_panel + v % kInPanel * kLanes);
      }
#pragma GCC unroll 16
      for (uint32_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
        for (uint32_t v = 0; v < kVectors; ++v) sums[r][v] += x[r][c] * weights[v];
      }
      w += tile.w_k;
    }
  }
#pragma GCC unroll 16
  for (uint32_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (uint32_t v = 0; v < kVectors; ++v) {
      Vector sum = sums[r][v];
      if (tile.clamps) {
        sum = sum < tile.low ? Vector{} + tile.low : sum;
        sum = sum > tile.high ? Vector{} + tile.high : sum;
      }
      store(tile.y[r] + v * kLanes, sum);
    }
  }
}

template <uint32_t kRows, uint32_t kPanels>
void add_rows(const Tile& tile, uint32_t rows) {
  if constexpr (kRows == 1) {
    add_tile<1, kPanels>(tile);
  } else if (rows == kRows) {
    add_tile<kRows, kPanels>(tile);
  } else {
    add_rows<kRows - 1, kPanels>(tile, rows);
  }
}

// A tile of `columns` that may be fewer than the vectors hold or apart in y: through a copy then.
void add_any(Tile tile, uint32_t rows, uint32_t columns, size_t y_c) {
  const uint32_t panels = columns > kPanel ? kPanelsOfTile : 1;
  const bool whole = y_c == 1 && columns == panels * kPanel;
  float sums[kTileRows][kTileColumns];
  float bias[kTileColumns];
  float* y[kTileRows];
  if (!whole) {
    for (uint32_t r = 0; r < rows; ++r) {
      y[r] = tile.y[r];
      for (uint32_t j = 0; j < panels * kPanel; ++j) {
        sums[r][j] = !tile.first && j < columns ? y[r][j * y_c] : 0.0f;
      }
      tile.y[r] = sums[r];
    }
    if (tile.bias != nullptr) {
      for (uint32_t j = 0; j < panels * kPanel; ++j) bias[j] = j < columns ? tile.bias[j] : 0.0f;
      tile.bias = bias;
    }
  }
  if (panels == 1) {
    add_rows<kTileRows, 1>(tile, rows);
  } else {
    add_rows<kTileRows, kPanelsOfTile>(tile, rows);
  }
  if (!whole) {
    for (uint32_t r = 0; r < rows; ++r) {
      for (uint32_t j = 0; j < columns; ++j) y[r][j * y_c] = sums[r][j];
    }
  }
}

// The position in x of a row's tap (0, 0), and its row of y.
struct Place {
  int32_t top, left;
  float* y;
};

// Products [k, k + taps * depth).
struct Chunk {
  uint32_t k, taps, depth;
};

// The channels of x that a tap of a row reads; null outside of x.
inline const float* tap_of(const FloatProducts& p, const Place& place, uint32_t h, uint32_t w) {
  const auto ih = static_cast<uint32_t>(place.top + static_cast<int32_t>(h * p.dilation_h));
  const auto iw = static_cast<uint32_t>(place.left + static_cast<int32_t>(w * p.dilation_w));
  return ih < p.in_h && iw < p.in_w ? p.x + ih * p.x_h + iw * p.x_w : nullptr;
}

// Copies a chunk of each row of x: to[r][depth].
void copy_rows(const FloatProducts& p, const Place* places, uint32_t rows, const Chunk& chunk,
               float (*to)[kDepth]) {
  const uint32_t tap = chunk.k / p.channels;
  for (uint32_t r = 0; r < rows; ++r) {
    uint32_t h = tap / p.kernel_w;
    uint32_t w = tap % p.kernel_w;
    uint32_t c = chunk.k % p.channels;
    for (uint32_t k = 0; k < chunk.depth;) {
      const uint32_t left = chunk.depth - k;
      const uint32_t count = p.channels - c < left ? p.channels - c : left;
      const float* from = tap_of(p, places[r], h, w);
      if (from != nullptr) {
        from += c * p.x_c;
        for (uint32_t j = 0; j < count; ++j) to[r][k + j] = from[j * p.x_c];
      } else {
        for (uint32_t j = 0; j < count; ++j) to[r][k + j] = 0.0f;
      }
      k += count;
      c = 0;
      if (++w == p.kernel_w) {
        w = 0;
        ++h;
      }
    }
  }
}

// Points to a chunk of each row of x.
void find_rows(const FloatProducts& p, const Place* places, uint32_t rows, const Chunk& chunk,
               const float** to) {
  const uint32_t tap = chunk.k / p.channels;
  const uint32_t c = chunk.k % p.channels;
  uint32_t h = tap / p.kernel_w;
  uint32_t w = tap % p.kernel_w;
  for (uint32_t t = 0; t < chunk.taps; ++t) {
    for (uint32_t r = 0; r < rows; ++r) {
      const float* from = tap_of(p, places[r], h, w);
      to[t * kTileRows + r] = from != nullptr ? from + c : kZeros;
    }
    if (++w == p.kernel_w) {
      w = 0;
      ++h;
    }
  }
}

// Copies a chunk's weights of up to kTileColumns columns into panels: to[panel][depth][kPanel].
void copy_weights(const FloatProducts& p, uint32_t column, uint32_t columns, const Chunk& chunk,
                  float* to) {
  const uint32_t depth = chunk.taps * chunk.depth;
  for (uint32_t first = 0; first < columns; first += kPanel, to += size_t{depth} * kPanel) {
    const uint32_t count = columns - first < kPanel ? columns - first : kPanel;
    const float* from = p.w + (column + first) / kPanel * p.w_panel + chunk.k * p.w_k;
    for (uint32_t k = 0; k < depth; ++k, from += p.w_k) {
      for (uint32_t j = 0; j < count; ++j) to[k * kPanel + j] = from[j * p.w_n];
      for (uint32_t j = count; j < kPanel; ++j) to[k * kPanel + j] = 0.0f;
    }
  }
}

class Products {
 public:
  Products(const FloatProducts& p, const FloatRange& range)
      : p_(p),
        range_(range),
        depth_(p.kernel_h * p.kernel_w * p.channels),
        copies_x_(p.x_c != 1 || p.channels < kFewChannels) {}

  void run() {
    Chunk chunk = {0, 0, 0};
    do {
      chunk = chunk_at(chunk.k + chunk.taps * chunk.depth);
      uint32_t column = range_.column;
      while (column < range_.column_end) {
        const uint32_t left = range_.column_end - column;
        const bool copies = !p_.padded && (p_.w_n != 1 || left < kPanel);
        uint32_t columns = p_.padded ? left : left / kPanel * kPanel;
        if (copies) {
          columns = left < kTileColumns ? left : kTileColumns;
          copy_weights(p_, column, columns, chunk, weights_);
        }
        add_strip(chunk, column, columns, copies);
        column += columns;
      }
    } while (chunk.k + chunk.taps * chunk.depth < depth_);
  }

 private:
  Chunk chunk_at(uint32_t k) const {
    const uint32_t left = depth_ - k < kDepth ? depth_ - k : kDepth;
    if (copies_x_) return {k, 1, left};
    const uint32_t in_tap = p_.channels - k % p_.channels;
    if (in_tap != p_.channels || in_tap >= kDepth) {
      return {k, 1, in_tap < kDepth ? in_tap : kDepth};
    }
    const uint32_t taps = left / p_.channels;
    return {k, taps < kTaps ? taps : kTaps, p_.channels};
  }

  void add_strip(const Chunk& chunk, uint32_t column, uint32_t columns, bool copied) {
    // Tiles of about the same number of rows.
    const uint32_t rows = range_.row_end - range_.row;
    const uint32_t tiles = (rows + kTileRows - 1) / kTileRows;
    uint32_t row = range_.row;
    for (uint32_t t = 0; t < tiles; ++t) {
      const uint32_t end = range_.row + static_cast<uint32_t>(uint64_t{rows} * (t + 1) / tiles);
      add_tiles(chunk, row, end - row, column, columns, copied);
      row = end;
    }
  }

  void add_tiles(const Chunk& chunk, uint32_t row, uint32_t rows, uint32_t column, uint32_t columns,
                 bool copied) {
    Place places[kTileRows];
    uint32_t h = row / p_.out_w;
    uint32_t w = row % p_.out_w;
    for (uint32_t r = 0; r < rows; ++r) {
      places[r] = {static_cast<int32_t>(h * p_.stride_h) - static_cast<int32_t>(p_.pad_h),
                   static_cast<int32_t>(w * p_.stride_w) - static_cast<int32_t>(p_.pad_w),
                   p_.y + h * p_.y_h + w * p_.y_w};
      if (++w == p_.out_w) {
        w = 0;
        ++h;
      }
    }
    if (copies_x_) {
      copy_rows(p_, places, rows, chunk, x_);
      for (uint32_t r = 0; r < rows; ++r) rows_[r] = x_[r];
    } else {
      find_rows(p_, places, rows, chunk, rows_);
    }
    Tile tile;
    tile.x = rows_;
    tile.taps = chunk.taps;
    tile.depth = chunk.depth;
    tile.w_k = copied ? kPanel : p_.w_k;
    tile.w_panel = copied ? size_t{chunk.taps} * chunk.depth * kPanel : p_.w_panel;
    tile.first = chunk.k == 0;
    tile.clamps = p_.clamps && chunk.k + chunk.taps * chunk.depth == depth_;
    tile.low = p_.low;
    tile.high = p_.high;
    for (uint32_t done = 0; done < columns;) {
      const uint32_t left = columns - done;
      const uint32_t count = left < kPanelsOfTile * kPanel ? left : kPanelsOfTile * kPanel;
      tile.w = copied ? weights_ + done / kPanel * tile.w_panel
                      : p_.w + (column + done) / kPanel * p_.w_panel + chunk.k * p_.w_k;
      tile.bias = p_.bias == nullptr ? nullptr : p_.bias + column + done;
      for (uint32_t r = 0; r < rows; ++r) tile.y[r] = places[r].y + (column + done) * p_.y_c;
      add_any(tile, rows, count, p_.y_c);
      done += count;
    }
  }

  const FloatProducts& p_;
  const FloatRange& range_;
  const uint32_t depth_;
  const bool copies_x_;
  const float* rows_[kTaps * kTileRows];
  float x_[kTileRows][kDepth];
  float weights_[kTileColumns * kDepth];
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

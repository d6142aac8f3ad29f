// Adds products to a tile of sums that stays in vector registers: some rows by one or two panels of
// columns.
#pragma once

#include "portable_fallback/fast/float_ends.h"
#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

constexpr uint32_t kPanel = kProductColumns;
constexpr uint32_t kTaps = 16;  // at most, that a tile adds at once
constexpr uint32_t kTileColumns = kPanelsOfTile * kPanel;
static_assert(kTileRows <= kCopiedRows && kTileColumns <= kCopiedColumns);

struct Tile {
  const float* x[kTileRows];  // each row's channels at the first tap
  int32_t to_tap[kTaps];      // elements from there to those at each tap
  const int32_t* to_taps;     // the same of any number of taps, instead of to_tap; or null
  size_t x_c;                 // elements between channels then, else 1
  uint32_t x_step;            // elements between rows then, if it is the same for all; else 0
  uint32_t taps, depth;       // depth: products of each tap
  const float* w;
  size_t w_k, w_panel;
  float* y[kTileRows];
  const float* bias;  // that the sums start at; null: at zero, or at y's if not `first`
  // That they start at, too, if `has_residual`: of each row as far behind `residual` as its y is
  // behind `y_of_residual`.
  const float* residual;
  const float* y_of_residual;
  bool first, has_residual;
  const FloatProducts* end;  // says what the sums are stored as, if they are final; else null
};

// Columns are counted by eights. Where a vector holds sixteen, an odd number of them ends with half
// a vector, which takes CPUs with 256 bits half the time of a whole one.
constexpr uint32_t kEight = 8;
constexpr uint32_t kEightsOfTile = kTileColumns / kEight;

// Not inlined: beside the variables of its callers, GCC keeps pointers to x out of registers.
template <uint32_t kRows, uint32_t kEights, bool kByTable, uint32_t kStep>
[[gnu::noinline]] void add_tile(const Tile& tile) {
  constexpr uint32_t kInPanel = kPanel / kLanes;
  constexpr uint32_t kVectors = kEights * kEight / kLanes;
  constexpr bool kHalf = kEights * kEight % kLanes != 0;
  Vector sums[kRows][kVectors + 1];  // the last is not used
  HalfVector halves[kRows];          // if kHalf
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
    if constexpr (kHalf) {
      if (!tile.first) {
        halves[r] = load_half(tile.y[r] + kVectors * kLanes);
      } else {
        halves[r] = tile.bias != nullptr ? load_half(tile.bias + kVectors * kLanes) : HalfVector{};
      }
    }
  }
  if (tile.has_residual) {
#pragma GCC unroll 16
    for (uint32_t r = 0; r < kRows; ++r) {
      const float* residual = tile.residual + (tile.y[r] - tile.y_of_residual);
#pragma GCC unroll 16
      for (uint32_t v = 0; v < kVectors; ++v) sums[r][v] += load(residual + v * kLanes);
      if constexpr (kHalf) halves[r] += load_half(residual + kVectors * kLanes);
    }
  }
  const float* w = tile.w;
  for (uint32_t t = 0; t < tile.taps; ++t) {
    const size_t first = kByTable ? static_cast<size_t>(tile.to_taps[t]) : 0;
    const float* x[kRows];
#pragma GCC unroll 16
    for (uint32_t r = 0; r < kRows; ++r) {
      x[r] = kStep != 0 ? tile.x[0] + r * kStep : tile.x[r] + (kByTable ? 0 : tile.to_tap[t]);
    }
    for (size_t c = 0; c < tile.depth; ++c) {
      const size_t at = kByTable ? first + c * tile.x_c : c;
      Vector weights[kVectors + 1];
#pragma GCC unroll 16
      for (uint32_t v = 0; v < kVectors; ++v) {
        weights[v] = load(w + v / kInPanel * tile.w_panel + v % kInPanel * kLanes);
      }
      HalfVector half = {};
      if constexpr (kHalf) half = load_half(w + kVectors * tile.w_panel);
#pragma GCC unroll 16
      for (uint32_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
        for (uint32_t v = 0; v < kVectors; ++v) sums[r][v] += x[r][at] * weights[v];
        if constexpr (kHalf) halves[r] += x[r][at] * half;
      }
      w += tile.w_k;
    }
  }
  const bool clips = tile.end != nullptr && tile.end->end == FloatEnd::kClip;
  const float low = clips ? tile.end->a : 0;
  const float high = clips ? tile.end->b : 0;
#pragma GCC unroll 16
  for (uint32_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (uint32_t v = 0; v < kVectors; ++v) {
      const Vector sum = sums[r][v];
      store(tile.y[r] + v * kLanes, clips ? clipped(sum, low, high) : sum);
    }
    if constexpr (kHalf) {
      const HalfVector sum = halves[r];
      store_half(tile.y[r] + kVectors * kLanes, clips ? clipped_half(sum, low, high) : sum);
    }
  }
}

template <uint32_t kRows, uint32_t kEights>
void add_rows(const Tile& tile, uint32_t rows) {
  if (kRows == 1 || rows == kRows) {
    // Tiles of a range have about as many rows as most may have.
    constexpr bool kMost = kRows + 1 >= kTileRows;
    if (tile.to_taps == nullptr) {
      add_tile<kRows, kEights, false, 0>(tile);
    } else if (kMost && tile.x_step == 1) {
      add_tile<kRows, kEights, true, kMost ? 1 : 0>(tile);
    } else if (kMost && tile.x_step == 2) {
      add_tile<kRows, kEights, true, kMost ? 2 : 0>(tile);
    } else {
      add_tile<kRows, kEights, true, 0>(tile);
    }
  } else if constexpr (kRows != 1) {
    add_rows<kRows - 1, kEights>(tile, rows);
  }
}

template <uint32_t kEights>
void add_eights(const Tile& tile, uint32_t rows, uint32_t eights) {
  if (kEights == 1 || eights == kEights) {
    add_rows<kTileRows, kEights>(tile, rows);
  } else if constexpr (kEights != 1) {
    add_eights<kEights - 1>(tile, rows, eights);
  }
}

// Copies sums that lie `from_c` and `to_c` floats apart.
inline void copy_sums(const float* from, size_t from_c, float* to, size_t to_c, uint32_t count) {
  uint32_t j = 0;
  if (from_c == 1 && to_c == 1) {
    for (; j + kLanes <= count; j += kLanes) store(to + j, load(from + j));
  }
  for (; j < count; ++j) to[j * to_c] = from[j * from_c];
}

// A tile of `columns` that may be fewer than the vectors hold or apart in y: through a copy of its
// sums then, which changes the tile.
void add_any(Tile& tile, uint32_t rows, uint32_t columns, size_t y_c) {
  const uint32_t eights = (columns + kEight - 1) / kEight;
  const bool whole = y_c == 1 && columns == eights * kEight;
  float sums[kTileRows][kTileColumns];
  float bias[kTileColumns];
  float* y[kTileRows];
  const auto copy_line = [&](const float* from, size_t from_c, float* to) {
    uint32_t j = 0;
    for (; j < columns && from_c == 1; j += kLanes) {
      const uint32_t left = columns - j;
      store(to + j, left < kLanes ? load_first(from + j, left) : load(from + j));
    }
    for (; j < columns; ++j) to[j] = from[j * from_c];
    for (; j < eights * kEight; ++j) to[j] = 0;
  };
  for (uint32_t r = 0; r < rows && !whole; ++r) {
    y[r] = tile.y[r];
    tile.y[r] = sums[r];
    if (!tile.first) copy_line(y[r], y_c, sums[r]);
    // Sums are loaded before any is stored.
    if (tile.has_residual) copy_line(tile.residual + (y[r] - tile.y_of_residual), y_c, sums[r]);
  }
  if (!whole) tile.residual = tile.y_of_residual = sums[0];
  if (!whole && tile.first && tile.bias != nullptr) {
    copy_line(tile.bias, 1, bias);
    tile.bias = bias;
  }
  add_eights<kEightsOfTile>(tile, rows, eights);
  if (tile.end != nullptr && ends_after_store(tile.end->end)) {
    end_rows(*tile.end, rows, eights * kEight / kLanes, eights * kEight % kLanes != 0,
             [&](uint32_t r) { return tile.y[r]; });
  }
  if (!whole) {
    for (uint32_t r = 0; r < rows; ++r) {
      copy_sums(sums[r], 1, y[r], y_c, columns);
      tile.y[r] = y[r];
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

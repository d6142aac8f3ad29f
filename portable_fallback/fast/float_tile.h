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
  // Each row's channels at the first tap, and its sums; of the first row alone where `even`: rows
  // of x and of y are x_step and y_step elements apart then.
  const float* x[kTileRows];
  float* y[kTileRows];
  bool even;
  size_t x_step, y_step;
  int32_t to_tap[kTaps];   // elements from there to those at each tap
  const int32_t* to_taps;  // the same of any number of taps, instead of to_tap; or null
  size_t x_c;              // elements between channels then, else 1
  uint32_t table_step;     // elements between rows then, if it is the same for all; else 0
  uint32_t taps, depth;    // depth: products of each tap
  const void* w;
  WeightType w_type = WeightType::kFloat32;  // others of whole panels, for one row
  size_t w_k, w_panel;
  size_t ahead;       // elements from w to weights that are wanted soon, as many as a panel's here
  const float* bias;  // that the sums start at; null: at zero, or at y's if not `first`
  // That they start at, too, if `has_residual`: of each row as far behind `residual` as its y is
  // behind `y_of_residual`.
  const float* residual;
  const float* y_of_residual;
  bool first, has_residual;
  const FloatProducts* end;  // says what the sums are stored as, if they are final; else null

  float* y_of(uint32_t row) const { return even ? y[0] + row * y_step : y[row]; }
};

// Columns are counted by eights. Where a vector holds sixteen, an odd number of them ends with half
// a vector, which takes CPUs with 256 bits half the time of a whole one.
constexpr uint32_t kEight = 8;
constexpr uint32_t kEightsOfTile = kTileColumns / kEight;

// Whether pointers to all rows of a tile would not fit the registers of x86.
constexpr bool kManyRows = kTileRows > 8;

// How a tile finds its rows of x.
enum class RowsOf { kPointers, kEven, kTable, kTableStep1, kTableStep2 };

// Rows of x, a step apart, by a pointer to every third of them: pointers to all would take more
// registers than x86 has beside those of weights. An address of it is a pointer and once or twice
// a register.
template <uint32_t kRows>
struct EvenRows {
  static constexpr uint32_t kThirds = (kRows + 2) / 3;

  EvenRows(const float* x, size_t step) : step_(step) {
#pragma GCC unroll 16
    for (uint32_t i = 0; i < kThirds; ++i) thirds_[i] = x + 3 * i * step;
  }

  // The empty asm has compilers keep the pointers, instead of one for each row.
  [[gnu::always_inline]] void move_on() {
#pragma GCC unroll 16
    for (uint32_t i = 0; i < kThirds; ++i) {
      ++thirds_[i];
      asm("" : "+r"(thirds_[i]));
    }
  }

  [[gnu::always_inline]] float operator[](uint32_t row) const {
    return thirds_[row / 3][row % 3 * step_];
  }

 private:
  const float* thirds_[kThirds];
  size_t step_;
};

// Not inlined: beside the variables of its callers, GCC keeps pointers to x out of registers.
// Weights are of type W.
template <uint32_t kRows, uint32_t kEights, RowsOf kRowsOf, typename W = float>
[[gnu::noinline]] void add_tile(const Tile& tile) {
  constexpr bool kByTable = kRowsOf >= RowsOf::kTable;
  constexpr uint32_t kStep =
      kByTable ? static_cast<uint32_t>(kRowsOf) - static_cast<uint32_t>(RowsOf::kTable) : 0;
  constexpr uint32_t kInPanel = kPanel / kLanes;
  constexpr uint32_t kVectors = kEights * kEight / kLanes;
  constexpr bool kHalf = kEights * kEight % kLanes != 0;
  const auto y_of = [&](uint32_t row) __attribute__((always_inline)) {
    return kRowsOf == RowsOf::kEven ? tile.y[0] + row * tile.y_step : tile.y[row];
  };
  Vector sums[kRows][kVectors + 1];  // the last is not used
  HalfVector halves[kRows];          // if kHalf
#pragma GCC unroll 16
  for (uint32_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (uint32_t v = 0; v < kVectors; ++v) {
      if (!tile.first) {
        sums[r][v] = load(y_of(r) + v * kLanes);
      } else {
        sums[r][v] = tile.bias != nullptr ? load(tile.bias + v * kLanes) : Vector{};
      }
    }
    if constexpr (kHalf) {
      if (!tile.first) {
        halves[r] = load_half(y_of(r) + kVectors * kLanes);
      } else {
        halves[r] = tile.bias != nullptr ? load_half(tile.bias + kVectors * kLanes) : HalfVector{};
      }
    }
  }
  if (tile.has_residual) {
#pragma GCC unroll 16
    for (uint32_t r = 0; r < kRows; ++r) {
      const float* residual = tile.residual + (y_of(r) - tile.y_of_residual);
#pragma GCC unroll 16
      for (uint32_t v = 0; v < kVectors; ++v) sums[r][v] += load(residual + v * kLanes);
      if constexpr (kHalf) halves[r] += load_half(residual + kVectors * kLanes);
    }
  }
  const W* w = static_cast<const W*>(tile.w);
  // Adds a product to each sum: x_of(row) is the row's factor.
  const auto add_products = [&](const auto& x_of) __attribute__((always_inline)) {
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
      for (uint32_t v = 0; v < kVectors; ++v) sums[r][v] += x_of(r) * weights[v];
      if constexpr (kHalf) halves[r] += x_of(r) * half;
    }
    w += tile.w_k;
  };
  for (uint32_t t = 0; t < tile.taps; ++t) {
    if constexpr (kRowsOf == RowsOf::kEven) {
      EvenRows<kRows> x(tile.x[0] + tile.to_tap[t], tile.x_step);
      for (uint32_t c = tile.depth; c != 0; --c) {
        if constexpr (kRows != 1) prefetch(w, tile.ahead);
        add_products([&](uint32_t r) { return x[r]; });
        x.move_on();
      }
    } else {
      const size_t first = kByTable ? static_cast<size_t>(tile.to_taps[t]) : 0;
      const float* x[kRows];
#pragma GCC unroll 16
      for (uint32_t r = 0; r < kRows; ++r) {
        x[r] = kStep != 0 ? tile.x[0] + r * kStep : tile.x[r] + (kByTable ? 0 : tile.to_tap[t]);
      }
      for (size_t c = 0; c < tile.depth; ++c) {
        if constexpr (kManyRows && kRows != 1 && !kByTable) prefetch(w, tile.ahead);
        const size_t at = kByTable ? first + c * tile.x_c : c;
        add_products([&](uint32_t r) { return x[r][at]; });
      }
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
      store(y_of(r) + v * kLanes, clips ? clipped(sum, low, high) : sum);
    }
    if constexpr (kHalf) {
      const HalfVector sum = halves[r];
      store_half(y_of(r) + kVectors * kLanes, clips ? clipped_half(sum, low, high) : sum);
    }
  }
}

template <uint32_t kRows, uint32_t kEights>
void add_rows(const Tile& tile, uint32_t rows) {
  if constexpr (kRows == 1 && kEights * kEight % kPanel == 0) {
    if (tile.w_type == WeightType::kFloat16) {
      return add_tile<1, kEights, RowsOf::kPointers, Float16>(tile);
    }
    if (tile.w_type == WeightType::kBfloat16) {
      return add_tile<1, kEights, RowsOf::kPointers, Bfloat16>(tile);
    }
  }
  if (kRows == 1 || rows == kRows) {
    // Tiles of a range have about as many rows as most may have.
    constexpr bool kMost = kRows + 1 >= kTileRows;
    if (tile.to_taps == nullptr) {
      if (kManyRows && tile.even) {
        add_tile<kRows, kEights, kManyRows ? RowsOf::kEven : RowsOf::kPointers>(tile);
      } else {
        add_tile<kRows, kEights, RowsOf::kPointers>(tile);
      }
    } else if (kMost && tile.table_step == 1) {
      add_tile<kRows, kEights, kMost ? RowsOf::kTableStep1 : RowsOf::kTable>(tile);
    } else if (kMost && tile.table_step == 2) {
      add_tile<kRows, kEights, kMost ? RowsOf::kTableStep2 : RowsOf::kTable>(tile);
    } else {
      add_tile<kRows, kEights, RowsOf::kTable>(tile);
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
  // Parts of panels are read as floats alone.
  const uint32_t unit = tile.w_type == WeightType::kFloat32 ? kEight : kPanel;
  const uint32_t eights = (columns + unit - 1) / unit * (unit / kEight);
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
  const size_t y_step = tile.y_step;
  for (uint32_t r = 0; r < rows && !whole; ++r) {
    y[r] = tile.y_of(r);
    if (!tile.first) copy_line(y[r], y_c, sums[r]);
    // Sums are loaded before any is stored.
    if (tile.has_residual) copy_line(tile.residual + (y[r] - tile.y_of_residual), y_c, sums[r]);
  }
  if (!whole) {
    for (uint32_t r = 0; r < rows; ++r) tile.y[r] = sums[r];
    tile.y_step = kTileColumns;
    tile.residual = tile.y_of_residual = sums[0];
  }
  if (!whole && tile.first && tile.bias != nullptr) {
    copy_line(tile.bias, 1, bias);
    tile.bias = bias;
  }
  add_eights<kEightsOfTile>(tile, rows, eights);
  if (tile.end != nullptr && ends_after_store(tile.end->end)) {
    end_rows(*tile.end, rows, eights * kEight / kLanes, eights * kEight % kLanes != 0,
             [&](uint32_t r) { return tile.y_of(r); });
  }
  if (!whole) {
    for (uint32_t r = 0; r < rows; ++r) {
      copy_sums(sums[r], 1, y[r], y_c, columns);
      tile.y[r] = y[r];
    }
    tile.y_step = y_step;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Adds small matrix products in the tiles of float products.
#pragma once

#include "portable_fallback/fast/float_matrices.h"
#include "portable_fallback/fast/float_tile.h"

namespace arenite {
namespace {

void add_matrices(const FloatMatrices& m) {
  Tile tile;
  tile.to_tap[0] = 0;
  tile.to_taps = nullptr;
  tile.taps = 1;
  tile.depth = m.depth;
  tile.even = kManyRows;
  tile.x_step = m.x_row;
  tile.y_step = m.y_row;
  tile.table_step = 0;
  tile.ahead = 0;
  tile.w_k = kPanel;
  tile.w_panel = size_t{m.depth} * kPanel;
  tile.bias = nullptr;
  tile.first = !m.adds;
  tile.has_residual = false;
  tile.end = nullptr;
  const uint32_t tiles = (m.rows + kTileRows - 1) / kTileRows;
  for (uint32_t i = 0; i < m.count; ++i) {
    const float* w = m.w + i * m.w_between;
    uint32_t row = 0;
    for (uint32_t tiles_left = tiles; tiles_left != 0; --tiles_left) {
      // Tiles of about the same number of rows.
      const uint32_t rows = (m.rows - row + tiles_left - 1) / tiles_left;
      const float* x = m.x + i * m.x_between + row * m.x_row;
      const uint32_t pointers = tile.even ? 1 : rows;
      for (uint32_t r = 0; r < pointers; ++r) tile.x[r] = x + r * m.x_row;
      for (uint32_t c = 0; c < m.columns; c += kTileColumns) {
        float* y = m.y + i * m.y_between + row * m.y_row + c;
        for (uint32_t r = 0; r < pointers; ++r) tile.y[r] = y + r * m.y_row;
        tile.w = w + c * size_t{m.depth};
        const uint32_t left = m.columns - c;
        add_eights<kEightsOfTile>(tile, rows, left < kTileColumns ? left / kEight : kEightsOfTile);
      }
      row += rows;
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

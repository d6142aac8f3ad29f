// Tiles of the results of matrix products, and what becomes of their sums. To be included after the
// buffers `c`, `y` and `y4`; a shader defines kActivation, kHasC and kVectorsY.
/* words
struct Matrix
  uint skip, row, column, inner_batch, outer_batch  // strides
struct MatMulPush
  uint count, rows, columns, depth, inner_batch
  Matrix a, b, c, y
  float alpha, beta, activation_a, activation_b
*/

// Columns and rows of a pair of matrices, from the first on.
struct Tile {
  uint column, row, inner, outer;
};
Tile tile_of(uint rest, uint tile_columns, uint tile_rows) {
  Tile tile;
  uint across = (p.columns + tile_columns - 1u) / tile_columns;
  uint strips = (p.rows + tile_rows - 1u) / tile_rows;
  uint quotient = rest / across;
  tile.column = (rest - quotient * across) * tile_columns;
  rest = quotient;
  quotient = rest / strips;
  tile.row = (rest - quotient * strips) * tile_rows;
  tile.outer = quotient / p.inner_batch;
  tile.inner = quotient - tile.outer * p.inner_batch;
  return tile;
}

uint start_of(Matrix m, Tile tile) {
  return m.skip + tile.inner * m.inner_batch + tile.outer * m.outer_batch;
}

// Writes four sums of a tile: of its row r, from column `first` on.
void finish(Tile tile, uint r, uint first, vec4 v) {
  uint row = tile.row + r;
  uint column = tile.column + first;
  if (row >= p.rows || column >= p.columns) return;
  uint y_at = start_of(p.y, tile) + row * p.y.row + column * p.y.column;
  uint c_at = start_of(p.c, tile) + row * p.c.row + column * p.c.column;
  v *= p.alpha;
  [[unroll]] for (uint j = 0u; j < 4u; ++j) {
    if (column + j < p.columns) {
      if (kHasC) v[j] += p.beta * float(c[c_at + j * p.c.column]);
      v[j] = activate(kActivation, v[j], p.activation_a, p.activation_b);
      if (!kVectorsY) y[y_at + j * p.y.column] = store(v[j]);
    }
  }
  if (kVectorsY) y4[y_at >> 2] = store4(v);
}
// SPDX-License-Identifier: Apache-2.0

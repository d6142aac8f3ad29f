// Rows of a tensor for shaders that reduce: the dims that are kept number the rows, the reduced ones
// number the elements of a row.
/* words
struct RowsPush
  uint rows, kept_rank, elements, row_rank, x_skip, y_skip
  uint dims[8], x_strides[8], y_strides[8]  // kept dims, innermost first, then reduced ones
*/

// The offsets of a row's start in x and y.
void row_start(uint row, out uint x_at, out uint y_at) {
  x_at = p.x_skip;
  y_at = p.y_skip;
  for (uint d = 0u; d < p.kept_rank; ++d) {
    uint quotient = row / p.dims[d];
    uint i = row - quotient * p.dims[d];
    x_at += i * p.x_strides[d];
    y_at += i * p.y_strides[d];
    row = quotient;
  }
}

// The offset of a row's element i in x, from the row's start.
uint x_element(uint i) {
  uint at = 0u;
  uint last = p.kept_rank + p.row_rank - 1u;
  for (uint d = p.kept_rank; d < last; ++d) {
    uint quotient = i / p.dims[d];
    at += (i - quotient * p.dims[d]) * p.x_strides[d];
    i = quotient;
  }
  return at + i * p.x_strides[last];
}

uint y_element(uint i) {
  uint at = 0u;
  uint last = p.kept_rank + p.row_rank - 1u;
  for (uint d = p.kept_rank; d < last; ++d) {
    uint quotient = i / p.dims[d];
    at += (i - quotient * p.dims[d]) * p.y_strides[d];
    i = quotient;
  }
  return at + i * p.y_strides[last];
}
// SPDX-License-Identifier: Apache-2.0

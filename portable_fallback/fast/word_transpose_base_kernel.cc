// Compiles the exchange of rows and columns for SSE2 or NEON: blocks of four by four in registers.
// Sixteen columns of four rows follow each other, so that a cache line of x is read at once.
#include "portable_fallback/fast/word_transpose_base_kernel.h"

#include <cstring>

#if defined(__SSE2__) || defined(__aarch64__)

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

constexpr uint32_t kBlock = 4;
constexpr uint32_t kLine = 16;

inline void transpose_block(const float* x, ptrdiff_t x_row, float* y, ptrdiff_t y_row) {
  const Vector a = load(x), b = load(x + x_row), c = load(x + 2 * x_row), d = load(x + 3 * x_row);
  const Vector ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Vector ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Vector cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Vector cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  store(y, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
  store(y + y_row, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
  store(y + 2 * y_row, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
  store(y + 3 * y_row, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
}

// Two rows of whole blocks of columns, which become neighboring pairs. Returns how many columns.
uint32_t interleave_pairs(const WordTranspose& matrix) {
  const float* first = matrix.x;
  const float* second = matrix.x + matrix.x_row;
  float* y = matrix.y;
  const uint32_t done = matrix.columns / kBlock * kBlock;
  for (uint32_t j = 0; j < done; j += kBlock, y += 2 * kBlock) {
    const Vector a = load(first + j), b = load(second + j);
    store(y, __builtin_shufflevector(a, b, 0, 4, 1, 5));
    store(y + kBlock, __builtin_shufflevector(a, b, 2, 6, 3, 7));
  }
  return done;
}

// Whole blocks of neighboring pairs, which become two columns. Returns how many pairs.
uint32_t separate_pairs(const WordTranspose& matrix) {
  const float* x = matrix.x;
  float* first = matrix.y;
  float* second = matrix.y + matrix.y_row;
  const uint32_t done = matrix.rows / kBlock * kBlock;
  for (uint32_t i = 0; i < done; i += kBlock, x += 2 * kBlock) {
    const Vector a = load(x), b = load(x + kBlock);
    store(first + i, __builtin_shufflevector(a, b, 0, 2, 4, 6));
    store(second + i, __builtin_shufflevector(a, b, 1, 3, 5, 7));
  }
  return done;
}

// Rows [row, row + rows) of the columns [column, end).
void move_words(const WordTranspose& matrix, uint32_t row, uint32_t rows, uint32_t column,
                uint32_t end) {
  for (uint32_t j = column; j < end; ++j) {
    const float* x = matrix.x + row * matrix.x_row + j;
    float* y = matrix.y + j * matrix.y_row + row;
    for (uint32_t i = 0; i < rows; ++i) std::memcpy(y + i, x + i * matrix.x_row, sizeof(float));
  }
}

}  // namespace

void word_transpose_base(const WordTranspose& matrix) {
  if (matrix.rows == 2 && matrix.y_row == 2) {
    return move_words(matrix, 0, 2, interleave_pairs(matrix), matrix.columns);
  }
  if (matrix.columns == 2 && matrix.x_row == 2) {
    const uint32_t done = separate_pairs(matrix);
    return move_words(matrix, done, matrix.rows - done, 0, 2);
  }
  for (uint32_t line = 0; line < matrix.columns; line += kLine) {
    const uint32_t left = matrix.columns - line;
    const uint32_t end = line + (left < kLine ? left : kLine);
    uint32_t i = 0;
    for (; i + kBlock <= matrix.rows; i += kBlock) {
      uint32_t j = line;
      for (; j + kBlock <= end; j += kBlock) {
        transpose_block(matrix.x + i * matrix.x_row + j, matrix.x_row,
                        matrix.y + j * matrix.y_row + i, matrix.y_row);
      }
      move_words(matrix, i, kBlock, j, end);
    }
    move_words(matrix, i, matrix.rows - i, line, end);
  }
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

// Compiles the exchange of rows and columns for SSE2 or NEON: blocks as large as a vector, or half
// as large for fewer rows or columns. The columns of a cache line follow each other, so that it is
// read at once.
#include "portable_fallback/fast/word_transpose_base_kernel.h"

#include "portable_fallback/fast/transpose_blocks.h"

#if defined(__SSE2__) || defined(__aarch64__)

namespace arenite {
namespace {

constexpr uint32_t kVectorBytes = 16;
constexpr uint32_t kLineBytes = 64;

template <typename T>
class Transpose {
 public:
  explicit Transpose(const ElementTranspose& matrix) : m_(matrix) {}

  void run() const {
    if (m_.rows == 2 && m_.y_row == 2) return move_elements(0, 2, interleave_pairs(), m_.columns);
    if (m_.columns == 2 && m_.x_row == 2) {
      const uint32_t done = separate_pairs();
      return move_elements(done, m_.rows - done, 0, 2);
    }
    for (uint32_t line = 0; line < m_.columns; line += kLine) {
      const uint32_t left = m_.columns - line;
      const uint32_t end = line + (left < kLine ? left : kLine);
      const uint32_t least = end - line < m_.rows ? end - line : m_.rows;
      if (least >= Wide::kSize) {
        move_blocks<Wide>(line, end);
      } else if (Narrow::kSize >= 4 && least >= Narrow::kSize) {
        move_blocks<Narrow>(line, end);
      } else {
        move_elements(0, m_.rows, line, end);
      }
    }
  }

 private:
  using Wide = TransposeBlock<T, kVectorBytes>;
  using Narrow = TransposeBlock<T, kVectorBytes / 2>;
  using Row = typename Wide::Row;
  static constexpr uint32_t kLine = kLineBytes / sizeof(T);

  const std::byte* x(uint32_t row, uint32_t column) const {
    return m_.x + (row * m_.x_row + ptrdiff_t{column}) * ptrdiff_t{sizeof(T)};
  }
  std::byte* y(uint32_t row, uint32_t column) const {
    return m_.y + (row * m_.y_row + ptrdiff_t{column}) * ptrdiff_t{sizeof(T)};
  }

  // Calls visit(first) for blocks of kSize that cover [begin, end), which has as many at least. The
  // last one begins earlier where the others leave fewer: it stores the same bits once more.
  template <uint32_t kSize, typename Visit>
  static void cover(uint32_t begin, uint32_t end, const Visit& visit) {
    for (; end - begin >= kSize; begin += kSize) visit(begin);
    if (begin != end) visit(end - kSize);
  }

  // All rows of the columns [line, end).
  template <typename Block>
  void move_blocks(uint32_t line, uint32_t end) const {
    const auto row_bytes = ptrdiff_t{sizeof(T)};
    cover<Block::kSize>(0, m_.rows, [&](uint32_t i) {
      cover<Block::kSize>(line, end, [&](uint32_t j) {
        Block::move(x(i, j), m_.x_row * row_bytes, y(j, i), m_.y_row * row_bytes);
      });
    });
  }

  // Two rows of whole vectors, which become neighboring pairs. Returns the number of columns.
  uint32_t interleave_pairs() const {
    const uint32_t done = m_.columns / Wide::kSize * Wide::kSize;
    for (uint32_t j = 0; j < done; j += Wide::kSize) {
      Wide::interleave(x(0, j), x(1, j), y(j, 0));
    }
    return done;
  }

  // Whole vectors of neighboring pairs, which become two columns. Returns the number of pairs.
  uint32_t separate_pairs() const {
    const uint32_t done = m_.rows / Wide::kSize * Wide::kSize;
    for (uint32_t i = 0; i < done; i += Wide::kSize) {
      Wide::separate(x(i, 0), y(0, i), y(1, i));
    }
    return done;
  }

  // Rows [row, row + rows) of the columns [column, end).
  void move_elements(uint32_t row, uint32_t rows, uint32_t column, uint32_t end) const {
    for (uint32_t j = column; j < end; ++j) {
      for (uint32_t i = row; i < row + rows; ++i) std::memcpy(y(j, i), x(i, j), sizeof(T));
    }
  }

  const ElementTranspose& m_;
};

}  // namespace

void byte_transpose_base(const ElementTranspose& matrix) { Transpose<uint8_t>(matrix).run(); }
void half_transpose_base(const ElementTranspose& matrix) { Transpose<uint16_t>(matrix).run(); }
void word_transpose_base(const ElementTranspose& matrix) { Transpose<float>(matrix).run(); }

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

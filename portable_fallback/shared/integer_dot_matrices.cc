// A thread's memory: a right side as rows, panels or biases that a kernel makes of it, and the rows
// of places.
#include "portable_fallback/shared/integer_dot_matrices.h"

#include "portable_fallback/shared/copied_matrices.h"
#include "portable_fallback/shared/integer_dots.h"

namespace arenite {
namespace {

constexpr uint32_t kBytesOfWord = 4;

// Words of a vector, of which each part of the memory has a whole number.
constexpr uint32_t whole_vectors(uint32_t words) { return (words + 15) / 16 * 16; }

struct Sizes {
  uint32_t rows, columns, depth;

  bool in_panels() const { return are_worth_panels(rows, columns, depth); }
  uint32_t padded_columns() const {
    return (columns + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
  }
  uint32_t copy_words() const {
    return whole_vectors((columns * depth + kBytesOfWord - 1) / kBytesOfWord);
  }
  uint32_t panel_words() const {
    return in_panels() ? padded_columns() / kPanelColumns * arenite::panel_words(depth) : 0;
  }
  uint32_t matrix_words() const { return copy_words() + panel_words() + padded_columns(); }
  uint32_t row_words() const { return whole_vectors(dot_row_words(rows, depth)); }
};

Sizes sizes_of(const MatMulGeometry& geometry) {
  return {geometry.y.dims[geometry.row()], geometry.y.dims[geometry.column()], geometry.inner()};
}

struct DotMatrixWork : MatrixWork {
  const IntegerDots* kernel = nullptr;
  Sizes sizes = {};
};

// to[n][k] = matrix[k][n] as int8.
void copy_to_rows(const IntegerMatrix& matrix, uint8_t* to) {
  const auto flip = static_cast<uint8_t>(matrix.flip);
  const auto number = [flip](std::byte from) {
    return static_cast<uint8_t>(std::to_integer<uint8_t>(from) ^ flip);
  };
  if (matrix.k_step <= matrix.n_step) {
    for (uint32_t n = 0; n < matrix.columns; ++n) {
      Src<std::byte> column = matrix.b + n * matrix.n_step;
      for (uint32_t k = 0; k < matrix.depth; ++k) *to++ = number(column[k * matrix.k_step]);
    }
    return;
  }
  // Sixteen rows of the matrix at once: lines of the copy stay in the cache.
  constexpr uint32_t kAtOnce = 16;
  for (uint32_t first = 0; first < matrix.depth; first += kAtOnce) {
    const uint32_t left = matrix.depth - first;
    const uint32_t end = first + (left < kAtOnce ? left : kAtOnce);
    for (uint32_t n = 0; n < matrix.columns; ++n) {
      Src<std::byte> column = matrix.b + n * matrix.n_step;
      uint8_t* const row = to + size_t{n} * matrix.depth;
      for (uint32_t k = first; k < end; ++k) row[k] = number(column[k * matrix.k_step]);
    }
  }
}

void matrix_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const DotMatrixWork*>(argument);
  const IntegerDots& kernel = *work.kernel;
  const Sizes& sizes = work.sizes;
  const bool in_panels = kernel.pack != nullptr && sizes.in_panels();
  for_matrices(work, first, last, thread,
               [&](const IntegerMatrix& matrix, bool copies, uint32_t* memory, IntegerProducts& p,
                   uint32_t place, uint32_t end) {
                 uint32_t* const panels = memory + sizes.copy_words();
                 auto* const biases = reinterpret_cast<int32_t*>(panels + sizes.panel_words());
                 p.w = static_cast<const std::byte*>(static_cast<const void*>(memory));
                 if (copies) {
                   copy_to_rows(matrix, static_cast<uint8_t*>(static_cast<void*>(memory)));
                   if (in_panels) {
                     kernel.pack(p, panels, biases);
                   } else if (kernel.fold != nullptr) {
                     kernel.fold(p, biases);
                   }
                 }
                 IntegerProducts of_copy = p;
                 if (in_panels || kernel.fold != nullptr) {
                   of_copy.results.bias = biases;
                   of_copy.results.bias_step = 1;
                 }
                 if (in_panels) {
                   of_copy.w = static_cast<const std::byte*>(static_cast<const void*>(panels));
                   kernel.add_panels(of_copy, 0, place, end);
                 } else {
                   kernel.add(of_copy, 0, place, end);
                 }
               });
}

}  // namespace

bool takes_dot_matrices(const Step& step) {
  return step.input(1).layout() == Layout::kStrided && takes_copied_matrices(step);
}

ScratchNeed dot_matrices_scratch(const Step& step) {
  const Sizes sizes = sizes_of(MatMulGeometry(step, false));
  return aligned_dot_scratch(sizes.matrix_words() + sizes.row_words(), 0);
}

uint64_t dot_matrices_distance(const Step& step, uint32_t input) {
  return matmul_products_distance(step, input, dot_places_at_once);
}

Status run_dot_matrices(const Step& step, const Platform& platform, const IntegerDots& kernel) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  DotMatrixWork work = {matrix_work(step)};
  IntegerProducts& p = work.products;
  set_dot_results(step, step.attributes<QuantizedMatMulAttributes>().output, p.channels, p);
  work.kernel = &kernel;
  work.sizes = {p.out_w, p.columns, p.channels};
  work.matrix_words = work.sizes.matrix_words();
  work.row_words = work.sizes.row_words();
  work.piece = blocks_over(work.piece, kDotPlaces) * kDotPlaces;
  p.rows = aligned_dot_words(step);
  split(platform, batches_of(y) * work.pieces(), element_count(y) * work_of_result(p.channels),
        matrix_items, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

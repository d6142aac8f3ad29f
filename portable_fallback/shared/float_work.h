// How float products are given to a kernel: the memory that it copies to, and the ranges of rows
// and columns that threads share.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "ops/attributes.h"
#include "portable_fallback/shared/float_kernel.h"

namespace arenite {

// The kernels read and write plain floats.
inline const float* floats(const Tensor& tensor) {
  return static_cast<const float*>(static_cast<const void*>(tensor.data));
}
inline float* floats(const OutTensor& tensor) {
  return static_cast<float*>(static_cast<void*>(tensor.out));
}

// Of a matrix product: its rows are the places of one line, its window has one tap. Operands and
// their strides are left to the caller.
FloatProducts matrix_products(uint32_t rows, uint32_t depth, uint32_t columns);

// Fills in the weights of p; `depth`: products of a sum.
void set_weights(const Tensor& w, size_t w_n, size_t w_k, uint64_t depth, FloatProducts& p);
void move_weights(FloatProducts& p, size_t elements);

// Lets a table find taps of few channels, as those of first layers: copies of rows that
// few columns read took longer than their products.
void find_by_table(FloatProducts& p);

// Whether a part of so many products gains by vectors: below 256, on an EPYC with AVX-512, what
// surrounds a kernel takes longer than the reference (bench/README.md).
constexpr bool gains(uint64_t products) { return products >= 256; }

// Whether the bias of a convolution, where it has one, is one number or lies side by side.
inline bool takes_bias(const Step& step) {
  return !step.has_input(2) || step.input(2).dims[0] == 1 || step.input(2).strides[0] == 1;
}

// The memory that rows of one part are copied with; none where all lies as kernels read it.
// `work`: products of all parts.
ScratchNeed scratch_of(const FloatProducts& p, uint32_t rows, uint64_t work);

// p with memory for copies of so many rows, which begins at `memory`, and its bytes.
FloatProducts with_copies(const FloatProducts& p, uint32_t rows, std::byte* memory);
uint32_t copied_bytes(const FloatProducts& p, uint32_t rows);

// Parts (images and groups, or batches) of rows by columns, cut into ranges.
struct FloatWork {
  FloatWork(const Step& step, const FloatKernel& of, const FloatProducts& each, uint32_t rows_of,
            uint32_t parts_of, const Platform& platform);

  // Makes each range a line of places and all columns.
  void cut_into_lines();

  uint32_t items() const { return parts * row_ranges * column_ranges; }
  uint32_t part_of(uint32_t item) const { return item / (row_ranges * column_ranges); }
  // Ranges of rows fastest, so that a range of weights is used while it is near.
  FloatRange range_of(uint32_t item) const;
  // The products of any part, with the memory of a thread.
  FloatProducts products_of(uint32_t thread) const;

  const FloatKernel& kernel;
  const FloatProducts products;
  std::byte* scratch = nullptr;
  uint32_t rows, parts;
  uint32_t rows_of_range, columns_of_range;
  uint32_t row_ranges, column_ranges;
};

// Calls visit(y, row, column, count) for runs of `count` results in a line of y.
template <typename F>
void for_lines(const FloatProducts& p, const FloatRange& range, F visit) {
  for (uint32_t row = range.row; row < range.row_end; ++row) {
    float* line = p.y + row / p.out_w * p.y_h + row % p.out_w * p.y_w;
    if (p.y_c == 1) {
      visit(line + range.column, row, range.column, range.column_end - range.column);
    } else {
      for (uint32_t c = range.column; c < range.column_end; ++c) {
        visit(line + c * p.y_c, row, c, 1u);
      }
    }
  }
}

// The step's residual with the strides of y, null where it has none: its own elements, or copies of
// them in y.
const float* residual_of(const Step& step, const Platform& platform);

// Lets the kernel apply an activation.
void set_end(const Activation& activation, FloatProducts& p);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

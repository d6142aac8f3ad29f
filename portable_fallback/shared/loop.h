// Walks up to four strided operands together: nested loops simplified at run time, cut into rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/shape.h"
#include "core/step.h"
#include "core/types.h"

namespace arenite {

// Dims common to the operands and each operand's strides in elements. Operand 0 is by custom the
// one written. Absent operands have strides of 0.
struct NestedLoop {
  static constexpr uint32_t kOperands = 4;

  uint32_t rank = 0;
  uint32_t dims[kMaxRank];
  ptrdiff_t strides[kOperands][kMaxRank];

  // Adds an inner dim. A dim of 1 is dropped.
  void add(uint32_t dim, ptrdiff_t stride0, ptrdiff_t stride1, ptrdiff_t stride2 = 0,
           ptrdiff_t stride3 = 0);
  // Puts the dims where operand 0 strides furthest outside: only for work whose order is free.
  void sort();
  // Joins dims that all operands cross in one stride. Afterwards rank is at least 1. The number of
  // iterations must fit 32 bits.
  void merge();

  // Puts a long dim inside a short inner one across which operand 1 strides further, as where
  // planes become pixels: only for work whose order is free.
  void lengthen_rows();

  uint32_t inner_dim() const { return dims[rank - 1]; }
  ptrdiff_t inner_stride(uint32_t operand) const { return strides[operand][rank - 1]; }
  // Iterations in all.
  uint32_t size() const;
};

// Elements of a row that elementwise kernels take at a time, and a thread at least.
inline constexpr uint32_t kRowPiece = 4096;

// Pieces of the innermost dim, at most `piece` long each, in order.
class RowCursor {
 public:
  static uint32_t rows(const NestedLoop& loop, uint32_t piece);

  // Starts at a row below rows(loop, piece). The loop must outlive the cursor.
  RowCursor(const NestedLoop& loop, uint32_t piece, uint32_t row);
  // Starts at the first row, and takes whole ones.
  explicit RowCursor(const NestedLoop& loop);
  void next();

  uint32_t count() const { return count_; }
  // Elements from the operand's start to the row's.
  ptrdiff_t offset(uint32_t operand) const { return offsets_[operand]; }

 private:
  // Moves all operands by so many strides of a dim.
  void move(uint32_t dim, ptrdiff_t times);
  // Sets count_ where so many elements of a row are left.
  void take(uint32_t left) { count_ = left < piece_ ? left : piece_; }

  const NestedLoop* loop_;
  uint32_t piece_;
  uint32_t begin_;  // of the piece, in the innermost dim
  uint32_t count_;
  uint32_t index_[kMaxRank];
  ptrdiff_t offsets_[NestedLoop::kOperands] = {};
};

// Calls row(cursor) at each row of the whole loop.
template <typename F>
void for_rows(const NestedLoop& loop, F row) {
  uint32_t rows = loop.inner_dim() != 0 ? 1 : 0;
  for (uint32_t d = 0; d + 1 < loop.rank; ++d) rows *= loop.dims[d];
  RowCursor cursor(loop);
  while (rows != 0) {
    row(cursor);
    if (--rows != 0) cursor.next();
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The walk of matrix products over their operands: sixteen columns of a row at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/step.h"

namespace arenite {

struct MatMulItem {
  uint32_t batch, m, n;  // n: first column
  uint32_t count;        // of columns
};

struct MatMulGeometry {
  // `serial`: in an order in which a row of a is done with early.
  MatMulGeometry(const Step& step, bool serial);

  // Sets the strides of a right side that is read as rows of its columns.
  void read_rows() {
    b_k = 1;
    b_n = inner();
  }

  uint32_t row() const { return y.rank() - 2; }  // the dims that they are
  uint32_t column() const { return y.rank() - 1; }
  uint32_t inner() const { return a.dims[column()]; }
  uint64_t work() const { return element_count(y) * inner(); }
  // Items: batch, block of columns, row, the last fastest, so that a block of b is used for all
  // rows while it is near. Or, with rows_first, blocks fastest, so that a row of a is done with
  // early.
  MatMulItem item(uint32_t index) const;
  // Elements from the start of a, b, or an operand of y's dims to an item's.
  size_t a_offset(const MatMulItem& at) const;
  size_t b_offset(const MatMulItem& at) const;
  size_t offset(const Tensor& tensor, const MatMulItem& at) const;
  // The distance of a, or of an operand of y's dims: a block of a row reads a's row and its part of
  // the other, then writes.
  uint64_t safe_distance(const Tensor& from, bool is_a) const;

  Tensor a, b;
  OutTensor y;
  uint32_t blocks;  // of 16 columns
  uint32_t items;
  size_t b_k, b_n;
  bool rows_first;  // the order of items
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

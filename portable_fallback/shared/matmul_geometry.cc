// The loops of matrix products, whatever their numbers are.
#include "portable_fallback/shared/matmul_geometry.h"

#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

// Offset of batch `index` (row-major over all dims but the last two).
size_t batch_offset(const Tensor& tensor, const OutTensor& y, uint32_t index) {
  size_t offset = 0;
  for (uint32_t d = y.rank() - 2; d-- > 0;) {
    offset += size_t{index % y.dims[d]} * tensor.strides[d];
    index /= y.dims[d];
  }
  return offset;
}

}  // namespace

MatMulGeometry::MatMulGeometry(const Step& step, bool serial)
    : a(step.input(0)), b(step.input(1)), y(step.output(0)) {
  const bool panels = b.layout() == Layout::kPanel16;
  b_k = panels ? kBlock : b.strides[row()];
  b_n = panels ? 1 : b.strides[column()];
  blocks = blocks_of(y.dims[column()]);
  items = blocks;
  for (uint32_t d = 0; d < column(); ++d) items *= y.dims[d];
  rows_first = serial && y.strides[column()] < y.strides[row()];
}

MatMulItem MatMulGeometry::item(uint32_t index) const {
  const uint32_t rows = y.dims[row()];
  const uint32_t in_matrix = index % (rows * blocks);
  const uint32_t n = (rows_first ? in_matrix % blocks : in_matrix / rows) * kBlock;
  const uint32_t left = y.dims[column()] - n;
  return {index / (rows * blocks), rows_first ? in_matrix / blocks : in_matrix % rows, n,
          left < kBlock ? left : kBlock};
}

size_t MatMulGeometry::a_offset(const MatMulItem& at) const {
  return batch_offset(a, y, at.batch) + size_t{at.m} * a.strides[row()];
}

size_t MatMulGeometry::b_offset(const MatMulItem& at) const {
  return b.layout() == Layout::kPanel16 ? size_t{at.n} * inner()
                                        : batch_offset(b, y, at.batch) + at.n * b_n;
}

size_t MatMulGeometry::offset(const Tensor& tensor, const MatMulItem& at) const {
  return batch_offset(tensor, y, at.batch) + size_t{at.m} * tensor.strides[row()] +
         size_t{at.n} * tensor.strides[column()];
}

uint64_t MatMulGeometry::safe_distance(const Tensor& from, bool is_a) const {
  if (is_a && inner() == 0) return 0;  // reads nothing
  const uint32_t y_bytes = element_bytes(y.dtype());
  const auto read = [&](uint32_t d) {
    return int64_t{from.strides[d]} * element_bytes(from.dtype());
  };
  const auto written = [&](uint32_t d) { return int64_t{y.strides[d]} * y_bytes; };
  const uint32_t m = row();
  const DistanceLoop rows = DistanceLoop::even(y.dims[m], written(m), read(m));
  DistanceNest nest(y_bytes);
  if (!rows_first) nest.add(rows);
  nest.add(
      DistanceLoop::blocks(y.dims[column()], kBlock, written(column()), is_a ? 0 : read(column())));
  if (rows_first) nest.add(rows);
  for (uint32_t d = m; d-- > 0;) nest.add(DistanceLoop::even(y.dims[d], written(d), read(d)));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

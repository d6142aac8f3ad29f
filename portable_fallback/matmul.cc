// Matrix product: sixteen columns at a time, each sum in the order of k.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/panels.h"
#include "portable_fallback/activation.h"
#include "portable_fallback/block.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/safe_distance.h"
#include "portable_fallback/split.h"

namespace arenite {
namespace {

struct MatMul {
  MatMul(const Step& step, bool serial);

  Tensor a, b, c;
  OutTensor y;
  MatMulAttributes attributes;
  uint32_t blocks;  // of 16 columns
  uint32_t items;
  size_t b_k, b_n;
  bool rows_first;  // the order of items
};

// Offset of batch `index` (row-major over all dims but the last two).
size_t batch_offset(const Tensor& tensor, const OutTensor& y, uint32_t index) {
  size_t offset = 0;
  for (uint32_t d = y.rank() - 2; d-- > 0;) {
    offset += size_t{index % y.dims[d]} * tensor.strides[d];
    index /= y.dims[d];
  }
  return offset;
}

struct MatMulItem {
  uint32_t batch, m, n;  // n: first column
};

// Items: batch, block of columns, row, the last fastest, so that a block of b is used for all rows
// while it is near. Or, with rows_first, blocks fastest, so that a row of a is done with early.
MatMulItem item_of(const MatMul& task, uint32_t item) {
  const uint32_t rows = task.y.dims[task.y.rank() - 2];
  const uint32_t in_matrix = item % (rows * task.blocks);
  const uint32_t block = task.rows_first ? in_matrix % task.blocks : in_matrix / rows;
  return {item / (rows * task.blocks), task.rows_first ? in_matrix / task.blocks : in_matrix % rows,
          block * kBlock};
}

template <typename W>
void matmul_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const MatMul*>(argument);
  const uint32_t rank = task.y.rank();
  const uint32_t row = rank - 2;
  const uint32_t column = rank - 1;
  const uint32_t columns = task.y.dims[column];
  const uint32_t k = task.a.dims[column];
  const bool panels = task.b.layout() == Layout::kPanel16;
  for (uint32_t item = first; item < last; ++item) {
    const auto [batch, m, n] = item_of(task, item);
    const uint32_t left = columns - n;
    BlockProduct product;
    product.count = left < kBlock ? left : kBlock;
    product.full = panels || (task.b_n == 1 && left >= kBlock);
    product.x_k = task.a.strides[column];
    product.w_k = task.b_k;
    product.w_n = task.b_n;
    product.k = k;
    Src<float> a = task.a.read<float>() + batch_offset(task.a, task.y, batch) +
                   size_t{m} * task.a.strides[row];
    Src<W> b = task.b.read<W>() +
               (panels ? size_t{n} * k : batch_offset(task.b, task.y, batch) + n * task.b_n);
    float acc[kBlock] = {};
    add_products(product, a, b, acc);
    for (float& sum : acc) sum *= task.attributes.alpha;
    if (task.c.data != nullptr) {
      Src<float> c = task.c.read<float>() + batch_offset(task.c, task.y, batch) +
                     size_t{m} * task.c.strides[row] + size_t{n} * task.c.strides[column];
      for (uint32_t j = 0; j < product.count; ++j) {
        acc[j] += task.attributes.beta * c[j * size_t{task.c.strides[column]}];
      }
    }
    activate(task.attributes.activation, acc, acc, product.count);
    Dst<float> y = task.y.write<float>() + batch_offset(task.y, task.y, batch) +
                   size_t{m} * task.y.strides[row] + size_t{n} * task.y.strides[column];
    for (uint32_t j = 0; j < product.count; ++j) y[j * size_t{task.y.strides[column]}] = acc[j];
  }
}

MatMul::MatMul(const Step& step, bool serial)
    : a(step.input(0)),
      b(step.input(1)),
      y(step.output(0)),
      attributes(step.attributes<MatMulAttributes>()) {
  if (step.has_input(2)) c = step.input(2);
  const uint32_t rank = y.rank();
  const bool panels = b.layout() == Layout::kPanel16;
  b_k = panels ? kBlock : b.strides[rank - 2];
  b_n = panels ? 1 : b.strides[rank - 1];
  blocks = blocks_of(y.dims[rank - 1]);
  items = blocks;
  for (uint32_t d = 0; d + 1 < rank; ++d) items *= y.dims[d];
  rows_first = serial && y.strides[rank - 1] < y.strides[rank - 2];
}

template <typename W>
Status run_matmul_of(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  MatMul task(step, step.serial());
  const uint64_t work = element_count(task.y) * task.a.dims[task.y.rank() - 1];
  split(platform, task.items, work, matmul_items<W>, &task);
  return ok_status();
}

Status run_matmul(const Step& step, const Platform& platform) {
  return run_matmul_of<float>(step, platform);
}

Status run_matmul_of_halves(const Step& step, const Platform& platform) {
  return for_half_weights(step.input(1).dtype(),
                          [&]<typename W>() { return run_matmul_of<W>(step, platform); });
}

// Each block of a row reads the row of a and its own part of c, then writes.
uint64_t matmul_distance(const Step& step, uint32_t input) {
  if (input == 1) return kNoOverlap;
  if (is_empty(step.output(0))) return 0;
  const MatMul task(step, true);
  const uint32_t row = task.y.rank() - 2;
  const uint32_t column = row + 1;
  const Tensor& from = input == 0 ? task.a : task.c;
  if (input == 0 && from.dims[column] == 0) return 0;  // reads nothing
  constexpr int64_t kBytes = sizeof(float);
  const auto x = [&](uint32_t d) { return from.strides[d] * kBytes; };
  const auto y = [&](uint32_t d) { return task.y.strides[d] * kBytes; };
  const DistanceLoop rows = DistanceLoop::even(task.y.dims[row], y(row), x(row));
  DistanceNest nest(kBytes);
  if (!task.rows_first) nest.add(rows);
  nest.add(
      DistanceLoop::blocks(task.y.dims[column], kBlock, y(column), input == 0 ? 0 : x(column)));
  if (task.rows_first) nest.add(rows);
  for (uint32_t d = row; d-- > 0;) nest.add(DistanceLoop::even(task.y.dims[d], y(d), x(d)));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

}  // namespace

constexpr Form kMatMulForm0 = {
    .op = Op::kMatMul,
    .number = 0,
    .parallel = true,
    .packings = kPackedWeights,
    .types = kMatMulTypes,
    .safe_distance = matmul_distance,
    .accepts = reads_float32_weights,
    .run = run_matmul,
};
// A right side of 16 bits.
constexpr Form kMatMulForm2 = {
    .op = Op::kMatMul,
    .number = 2,
    .parallel = true,
    .packings = kPackedWeights,
    .types = kMatMulTypes,
    .safe_distance = matmul_distance,
    .accepts = reads_half_weights,
    .run = run_matmul_of_halves,
};
constexpr const Form* const kMatMulForms[] = {&kMatMulForm0, &kMatMulForm2, nullptr};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Matrix product: sixteen columns at a time, each sum in the order of k.
#include <cstring>

#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/activation.h"
#include "portable_fallback/block.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/panels.h"
#include "portable_fallback/split.h"

namespace arenite {
namespace {

// Whether one matrix of `tensor` has its own bytes for each element (batches may share).
bool matrix_fits(const Tensor& tensor) {
  if (is_empty(tensor)) return true;
  const uint64_t elements =
      bounded_product(tensor.dims[tensor.rank - 2], tensor.dims[tensor.rank - 1]);
  return bounded_product(elements, sizeof(float)) <= tensor.bytes;
}

Status check_matmul(const Step& step) {
  ARENITE_TRY(check_attributes<MatMulAttributes>(step));
  ARENITE_TRY(check_operands(
      step, {.min_inputs = 2, .max_inputs = 3, .max_outputs = 1, .packed_weights = true}));
  ARENITE_TRY(check_all_types(step, DType::kFloat32));
  const Tensor a = step.input(0);
  const Tensor b = step.input(1);
  const OutTensor y = step.output(0);
  const uint32_t rank = y.rank;
  if (rank < 2) return output_error(step, Code::kBadShape);
  if (a.rank != rank || !matrix_fits(a)) return input_error(step, Code::kBadShape, 0);
  if (b.rank != rank) return input_error(step, Code::kBadShape, 1);
  const bool panels = b.layout == Layout::kPanel16;
  for (uint32_t d = 0; d + 2 < rank; ++d) {
    if (a.dims[d] != y.dims[d]) return input_error(step, Code::kBadShape, 0);
    if (b.dims[d] != (panels ? 1 : y.dims[d])) return input_error(step, Code::kBadShape, 1);
  }
  const uint32_t k = a.dims[rank - 1];
  if (a.dims[rank - 2] != y.dims[rank - 2]) return input_error(step, Code::kBadShape, 0);
  if (b.dims[rank - 2] != k || b.dims[rank - 1] != y.dims[rank - 1]) {
    return input_error(step, Code::kBadShape, 1);
  }
  if (!panels_hold(b, b.dims[rank - 1], k)) return input_error(step, Code::kBadRange, 1);
  if (step.has_input(2)) ARENITE_TRY(check_same_dims(step, 2));
  return check_activation(step.attributes<MatMulAttributes>().activation);
}

struct MatMul {
  Tensor a, b, c;
  OutTensor y;
  MatMulAttributes attributes;
  uint32_t blocks;  // of 16 columns
  size_t b_k, b_n;
};

// Offset of batch `index` (row-major over all dims but the last two).
size_t batch_offset(const Tensor& tensor, const OutTensor& y, uint32_t index) {
  size_t offset = 0;
  for (uint32_t d = y.rank - 2; d-- > 0;) {
    offset += size_t{index % y.dims[d]} * tensor.strides[d];
    index /= y.dims[d];
  }
  return offset;
}

// Items: batch, block of columns, row, the last fastest, so that a block of b is used for all rows
// while it is near.
void matmul_items(void* argument, uint32_t first, uint32_t last) {
  const auto& task = *static_cast<const MatMul*>(argument);
  const uint32_t rank = task.y.rank;
  const uint32_t row = rank - 2;
  const uint32_t column = rank - 1;
  const uint32_t rows = task.y.dims[row];
  const uint32_t columns = task.y.dims[column];
  const uint32_t k = task.a.dims[column];
  const bool panels = task.b.layout == Layout::kPanel16;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t m = item % rows;
    const uint32_t n = item / rows % task.blocks * kBlock;
    const uint32_t batch = item / rows / task.blocks;
    const uint32_t left = columns - n;
    BlockProduct product;
    product.count = left < kBlock ? left : kBlock;
    product.full = panels || (task.b_n == 1 && left >= kBlock);
    product.x_k = task.a.strides[column];
    product.w_k = task.b_k;
    product.w_n = task.b_n;
    product.k = k;
    const float* a = task.a.read<float>() + batch_offset(task.a, task.y, batch) +
                     size_t{m} * task.a.strides[row];
    const float* b = task.b.read<float>() +
                     (panels ? size_t{n} * k : batch_offset(task.b, task.y, batch) + n * task.b_n);
    float acc[kBlock] = {};
    add_products(product, a, b, acc);
    for (float& sum : acc) sum *= task.attributes.alpha;
    if (task.c.data != nullptr) {
      const float* c = task.c.read<float>() + batch_offset(task.c, task.y, batch) +
                       size_t{m} * task.c.strides[row] + size_t{n} * task.c.strides[column];
      for (uint32_t j = 0; j < product.count; ++j) {
        acc[j] += task.attributes.beta * c[j * size_t{task.c.strides[column]}];
      }
    }
    activate(task.attributes.activation, acc, acc, product.count);
    float* y = task.y.write<float>() + batch_offset(task.y, task.y, batch) +
               size_t{m} * task.y.strides[row] + size_t{n} * task.y.strides[column];
    for (uint32_t j = 0; j < product.count; ++j) y[j * size_t{task.y.strides[column]}] = acc[j];
  }
}

Status run_matmul(const Step& step, const Platform& platform) {
  MatMul task;
  task.a = step.input(0);
  task.b = step.input(1);
  if (step.has_input(2)) task.c = step.input(2);
  task.y = step.output(0);
  if (is_empty(task.y)) return ok_status();
  task.attributes = step.attributes<MatMulAttributes>();
  const uint32_t rank = task.y.rank;
  const bool panels = task.b.layout == Layout::kPanel16;
  task.b_k = panels ? kBlock : task.b.strides[rank - 2];
  task.b_n = panels ? 1 : task.b.strides[rank - 1];
  task.blocks = blocks_of(task.y.dims[rank - 1]);
  uint32_t items = task.blocks;
  for (uint32_t d = 0; d + 1 < rank; ++d) items *= task.y.dims[d];
  split(platform, items, bounded_count(task.y) * task.a.dims[rank - 1], matmul_items, &task);
  return ok_status();
}

}  // namespace

constexpr Kernel kMatMulKernel = {
    .op = Op::kMatMul,
    .check = check_matmul,
    .run = run_matmul,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided) |
                      1u << static_cast<uint32_t>(Layout::kPanel16),
    .alignment = alignof(float),
    .tail_bytes = 0,
    .parallel = true,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Imports MatMul with numpy's rules: operands of rank 1 are a row or a column, batches broadcast;
// and FusedMatMul of com.microsoft, which transposes and scales first.
#include <algorithm>
#include <utility>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

// Adds output 0 as alpha * a * b.
void add_product(OpContext& context, ValueId a, ValueId b, float alpha) {
  const Dims a_dims = context.dims(a);
  const Dims b_dims = context.dims(b);
  const bool row = a_dims.size() == 1;
  const bool column = b_dims.size() == 1;
  if (a_dims.empty() || b_dims.empty()) context.fail("operands must not be scalars");
  const Dim inner = a_dims.back();
  const Dim b_inner = column ? b_dims[0] : b_dims[b_dims.size() - 2];
  if (inner != b_inner) {
    context.fail("inner dimensions differ: " + dims_text(a_dims) + " and " + dims_text(b_dims));
  }
  if (row) a = reshaped(context, a, {1, inner}, "row");
  if (column) b = reshaped(context, b, {inner, 1}, "column");
  const Dims a_matrix = context.dims(a);
  const Dims b_matrix = context.dims(b);
  Dims dims = broadcast_dims(context, {a_matrix.begin(), a_matrix.end() - 2},
                             {b_matrix.begin(), b_matrix.end() - 2});
  Dims result = dims;  // with the dims that rank 1 stands for left out
  const Dim rows = a_matrix[a_matrix.size() - 2];
  const Dim columns = b_matrix.back();
  dims.insert(dims.end(), {rows, columns});
  if (!row) result.push_back(rows);
  if (!column) result.push_back(columns);
  const MatMulAttributes attributes{alpha, 1.0f, {}};
  if (row || column) {
    const ValueId y = context.add_between("matrix", context.dtype(a), dims);
    context.add_node(Op::kMatMul, {a, b}, {y}, attributes);
    reshape_to_output(context, y, result);
  } else {
    const ValueId y = context.add_output(0, context.dtype(a), dims);
    context.add_node(Op::kMatMul, {a, b}, {y}, attributes);
  }
}

// Rows and columns swapped; with `batch` the first dim, which is that of rows, has gone behind the
// batch's before. Vectors stay.
ValueId turned(OpContext& context, ValueId x, bool swap, bool batch) {
  const auto rank = static_cast<uint32_t>(context.dims(x).size());
  if (rank < 2) return x;
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < rank; ++i) order.push_back(i);
  if (batch) std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
  if (swap) std::swap(order[rank - 2], order[rank - 1]);
  return std::is_sorted(order.begin(), order.end()) ? x : Steps(context).transpose(x, order);
}

}  // namespace

void import_matmul(OpContext& context) {
  context.expect_operands(2, 2);
  add_product(context, context.input(0), context.input(1), 1.0f);
}

void import_fused_matmul(OpContext& context) {
  context.expect_operands(2, 2);
  const float alpha = context.float_attribute("alpha", 1.0f);
  const bool swap_a = context.flag_attribute("transA", false);
  const bool swap_b = context.flag_attribute("transB", false);
  const bool batch_a = context.flag_attribute("transBatchA", false);
  const bool batch_b = context.flag_attribute("transBatchB", false);
  const ValueId a = turned(context, context.input(0), swap_a, batch_a);
  const ValueId b = turned(context, context.input(1), swap_b, batch_b);
  add_product(context, a, b, alpha);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

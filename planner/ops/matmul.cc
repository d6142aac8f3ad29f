// Imports MatMul with numpy's rules: operands of rank 1 are a row or a column, batches broadcast.
#include "ops/attributes.h"
#include "planner/names.h"
#include "planner/ops/ops.h"
#include "planner/ops/shapes.h"

namespace arenite::planner {

void import_matmul(OpContext& context) {
  context.expect_operands(2, 2);
  ValueId a = context.input(0);
  ValueId b = context.input(1);
  const std::vector<uint32_t> a_dims = context.dims(a);
  const std::vector<uint32_t> b_dims = context.dims(b);
  const bool row = a_dims.size() == 1;
  const bool column = b_dims.size() == 1;
  if (a_dims.empty() || b_dims.empty()) context.fail("operands must not be scalars");
  const uint32_t inner = a_dims.back();
  const uint32_t b_inner = column ? b_dims[0] : b_dims[b_dims.size() - 2];
  if (inner != b_inner) {
    context.fail("inner dimensions differ: " + dims_text(a_dims) + " and " + dims_text(b_dims));
  }
  if (row) a = reshaped(context, a, {1, inner}, "row");
  if (column) b = reshaped(context, b, {inner, 1}, "column");
  const std::vector<uint32_t> a_matrix = context.dims(a);
  const std::vector<uint32_t> b_matrix = context.dims(b);
  std::vector<int64_t> dims = broadcast_dims(context, {a_matrix.begin(), a_matrix.end() - 2},
                                             {b_matrix.begin(), b_matrix.end() - 2});
  std::vector<int64_t> result = dims;  // with the dims that rank 1 stands for left out
  const int64_t rows = a_matrix[a_matrix.size() - 2];
  const int64_t columns = b_matrix.back();
  dims.insert(dims.end(), {rows, columns});
  if (!row) result.push_back(rows);
  if (!column) result.push_back(columns);
  const MatMulAttributes attributes{1.0F, 1.0F, {}};
  if (row || column) {
    const ValueId y = context.add_between("matrix", context.dtype(a), dims);
    context.add_node(Op::kMatMul, {a, b}, {y}, attributes);
    reshape_to_output(context, y, result);
  } else {
    const ValueId y = context.add_output(0, context.dtype(a), dims);
    context.add_node(Op::kMatMul, {a, b}, {y}, attributes);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

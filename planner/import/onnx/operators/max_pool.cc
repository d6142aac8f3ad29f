// Imports MaxPool over one to three spatial dimensions, with its Indices output.
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/pools.h"

namespace arenite::planner {

void import_max_pool(OpContext& context) {
  context.expect_operands(1, 1, 2);
  const ValueId x = context.input(0);
  Pool pool = read_pool(context);
  pool.attributes.column_major = context.flag_attribute("storage_order", false) ? 1 : 0;
  std::vector<ValueId> outputs = {context.add_output(0, context.dtype(x), pool.dims)};
  if (context.wants_output(1)) outputs.push_back(context.add_output(1, DType::kInt64, pool.dims));
  context.add_node(Op::kMaxPool, {x}, outputs, pool.attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

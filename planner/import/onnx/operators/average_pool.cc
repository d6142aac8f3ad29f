// Imports AveragePool over one to three spatial dimensions.
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/pools.h"

namespace arenite::planner {

void import_average_pool(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  Pool pool = read_pool(context);
  pool.attributes.count_include_pad = context.flag_attribute("count_include_pad", false) ? 1 : 0;
  const ValueId y = context.add_output(0, context.dtype(x), pool.dims);
  context.add_node(Op::kAveragePool, {x}, {y}, pool.attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

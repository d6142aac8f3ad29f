// Imports CumSum: its axis must be known.
#include "ops/attributes.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_cum_sum(OpContext& context) {
  context.expect_operands(2, 2);
  const ValueId x = context.input(0);
  const std::vector<int64_t> given = *context.constant_ints(1, "axis");
  if (given.size() != 1) context.fail("input 'axis' holds no single number");
  CumSumAttributes attributes{};
  attributes.axis = context.axis(given[0], context.dims(x).size(), "axis");
  attributes.exclusive = context.flag_attribute("exclusive", false) ? 1 : 0;
  attributes.reverse = context.flag_attribute("reverse", false) ? 1 : 0;
  const ValueId y = context.add_output(0, context.dtype(x), context.dims(x));
  context.add_node(Op::kCumSum, {x}, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Imports Where: numpy's broadcasting of the condition and of both choices.
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_where(OpContext& context) {
  context.expect_operands(3, 3);
  const ValueId condition = context.input(0);
  const ValueId a = context.input(1);
  const ValueId b = context.input(2);
  if (context.dtype(condition) != DType::kBool) {
    context.fail("the condition is " + dtype_name(context.dtype(condition)) + ", expected bool");
  }
  if (context.dtype(a) != context.dtype(b)) {
    context.fail("operands differ in type: " + dtype_name(context.dtype(a)) + " and " +
                 dtype_name(context.dtype(b)));
  }
  const Dims chosen = broadcast_dims(context, context.dims(a), context.dims(b));
  const Dims dims = broadcast_dims(context, context.dims(condition), chosen);
  const ValueId y = context.add_output(0, context.dtype(a), dims);
  context.add_node(Op::kWhere, {condition, a, b}, {y});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

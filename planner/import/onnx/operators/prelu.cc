// Imports PRelu: the slope is broadcast to the input's dims, or before opset 7 one a channel.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_prelu(OpContext& context) {
  context.expect_operands(2, 2);
  if (context.opset() < 6) context.ignore_attribute("consumed_inputs");
  const ValueId x = context.input(0);
  ValueId slope = context.input(1);
  if (context.dtype(x) != context.dtype(slope)) {
    context.fail("operands differ in type: " + dtype_name(context.dtype(x)) + " and " +
                 dtype_name(context.dtype(slope)));
  }
  const Dims dims = context.dims(x);
  Dims slope_dims = context.dims(slope);
  if (context.opset() < 7 && slope_dims.size() == 1 && dims.size() > 2) {
    slope_dims.resize(dims.size() - 1, 1);
    slope = reshaped(context, slope, slope_dims, "slope");
  }
  if (broadcast_dims(context, context.dims(x), context.dims(slope)) != dims) {
    context.fail("expected a slope that broadcasts to " + dims_text(context.dims(x)) + ", found " +
                 dims_text(context.dims(slope)));
  }
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kPRelu, {x, slope}, {y}, BinaryAttributes{});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Imports Softmax: over one axis, or before opset 13 over all axes from one on.
#include "ops/attributes.h"
#include "planner/ops/ops.h"
#include "planner/ops/shapes.h"

namespace arenite::planner {

void import_softmax(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const std::vector<uint32_t> dims = context.dims(x);
  const bool one_axis = context.opset() >= 13;
  const uint32_t axis =
      context.axis(context.int_attribute("axis", one_axis ? -1 : 1), dims.size(), "axis");
  uint32_t axes = 1u << axis;
  if (!one_axis) {
    for (size_t i = axis; i < dims.size(); ++i) axes |= 1u << i;
  }
  const ValueId y = context.add_output(0, context.dtype(x), signed_dims(dims));
  context.add_node(Op::kSoftmax, {x}, {y}, SoftmaxAttributes{axes});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Imports HardSigmoid.
#include "core/attributes.h"
#include "planner/ops/ops.h"
#include "planner/ops/shapes.h"

namespace arenite::planner {

void import_hard_sigmoid(OpContext& context) {
  context.expect_operands(1, 1);
  if (context.opset() < 6) context.ignore_attribute("consumed_inputs");
  const ValueId x = context.input(0);
  HardSigmoidAttributes attributes{};
  attributes.alpha = context.float_attribute("alpha", 0.2F);
  attributes.beta = context.float_attribute("beta", 0.5F);
  const ValueId y = context.add_output(0, context.dtype(x), signed_dims(context.dims(x)));
  context.add_node(Op::kHardSigmoid, {x}, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Gelu: x times the share of a normal distribution below x, or its approximation by tanh.
#include "ops/attributes.h"
#include "planner/ops/ops.h"
#include "planner/ops/shapes.h"

namespace arenite::planner {

void import_gelu(OpContext& context) {
  context.expect_operands(1, 1);
  const std::string approximate = context.string_attribute("approximate", "none");
  if (approximate != "none" && approximate != "tanh") {
    context.fail_attribute("approximate", "expected none or tanh, found '" + approximate + "'");
  }
  const ValueId x = context.input(0);
  const UnaryAttributes attributes{approximate == "tanh" ? 1.0F : 0.0F, 0.0F};
  const ValueId y = context.add_output(0, context.dtype(x), signed_dims(context.dims(x)));
  context.add_node(Op::kGelu, {x}, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Imports the elementwise operators of one operand that are members of family unary.
#include "ops/attributes.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_unary(OpContext& context, Op op, const Parameter& alpha, const Parameter& beta) {
  context.expect_operands(1, 1);
  if (context.opset() < 6) context.ignore_attribute("consumed_inputs");
  const ValueId x = context.input(0);
  const auto read = [&](const Parameter& parameter) {
    return parameter.name == nullptr ? parameter.otherwise
                                     : context.float_attribute(parameter.name, parameter.otherwise);
  };
  const UnaryAttributes attributes{read(alpha), read(beta)};
  const ValueId y = context.add_output(0, context.dtype(x), context.dims(x));
  context.add_node(op, {x}, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

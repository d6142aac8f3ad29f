// Imports Identity: a copy that a pass removes.
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_identity(OpContext& context) {
  context.expect_operands(1, 1);
  copy_to_output(context, 0, context.input(0));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

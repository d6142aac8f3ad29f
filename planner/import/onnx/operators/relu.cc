// Imports Relu: a clip from below at 0.
#include <limits>

#include "ops/attributes.h"
#include "planner/import/onnx/operators/clip.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_relu(OpContext& context) {
  context.expect_operands(1, 1);
  if (context.opset() < 6) context.ignore_attribute("consumed_inputs");
  const ValueId x = context.input(0);
  const DType type = context.dtype(x);
  const ValueId y = context.add_output(0, type, context.dims(x));
  const float infinity = std::numeric_limits<float>::infinity();
  if (is_float(type)) {
    context.add_node(Op::kClip, {x}, {y}, ClipAttributes{0.0f, infinity});
  } else {
    // Bounds of integers are operands.
    const ValueId zero =
        context.add_constant("zero", type, {}, std::vector<std::byte>(element_bytes(type)));
    context.add_node(Op::kClip, {x, zero}, {y}, ClipAttributes{-infinity, infinity});
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

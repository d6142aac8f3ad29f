// Copies are ours, not ONNX's: what Identity, Dropout and the like become.
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void copy_to_output(OpContext& context, size_t i, ValueId x) {
  const ValueId y = context.add_output(i, context.dtype(x), context.dims(x));
  context.add_node(Op::kCopy, {x}, {y});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

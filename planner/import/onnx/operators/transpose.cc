// Imports Transpose: a view with its dims in another order.
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_transpose(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const Dims x_dims = context.dims(x);
  const std::optional<std::vector<int64_t>> given = context.ints_attribute("perm");
  std::vector<uint32_t> permutation;
  if (given) {
    for (const int64_t axis : *given) {
      if (axis < 0) context.fail_attribute("perm", "holds a negative axis");
    }
    permutation = context.axes(*given, x_dims.size(), "perm");
  } else {
    for (size_t i = x_dims.size(); i-- > 0;) permutation.push_back(static_cast<uint32_t>(i));
  }
  if (permutation.size() != x_dims.size()) {
    context.fail_attribute("perm", "expected " + std::to_string(x_dims.size()) + " axes, found " +
                                       std::to_string(permutation.size()));
  }
  Dims dims;
  for (const uint32_t axis : permutation) dims.push_back(x_dims[axis]);
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kTranspose, {x}, {y}, permutation);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

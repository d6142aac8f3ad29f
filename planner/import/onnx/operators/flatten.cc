// Imports Flatten: a view as a matrix.
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_flatten(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const Dims dims = context.dims(x);
  const int64_t given = context.int_attribute("axis", 1);
  // One past the last axis is allowed: everything in one column.
  const auto rank = static_cast<int64_t>(dims.size());
  const int64_t axis = given == rank ? given : int64_t{context.axis(given, dims.size(), "axis")};
  Dims matrix = {1, 1};
  bool empty = false;
  for (const Dim& dim : dims) empty = empty || dim == 0;
  for (int64_t i = 0; i < rank; ++i) {
    Dim& side = matrix[i < axis ? 0 : 1];
    const Dim dim = dims[static_cast<size_t>(i)];
    // With a 0 elsewhere the others may be anything: no product may leave the range of dims.
    side = empty && side * dim > 0x7fffffff ? Dim(0x7fffffff) : side * dim;
  }
  reshape_to_output(context, x, matrix);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

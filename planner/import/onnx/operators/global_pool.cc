// Imports GlobalAveragePool and GlobalMaxPool: a reduction over all spatial dimensions.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_global_pool(OpContext& context, Op op) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  Dims dims = context.dims(x);
  if (dims.size() < 3) {
    context.fail("expected an input of rank 3 or more, found " + dims_text(context.dims(x)));
  }
  ReduceAttributes attributes{};
  for (size_t i = 2; i < dims.size(); ++i) {
    attributes.axes |= 1u << i;
    dims[i] = 1;
  }
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(op, {x}, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

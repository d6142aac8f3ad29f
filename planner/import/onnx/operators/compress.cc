// Imports Compress: a gather of what a condition picks.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/counted.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_compress(OpContext& context) {
  context.expect_operands(2, 2);
  ValueId x = context.input(0);
  const ValueId condition = context.input(1);
  if (context.dtype(condition) != DType::kBool || context.dims(condition).size() != 1) {
    context.fail("expected a condition of bool of rank 1, found " +
                 dtype_name(context.dtype(condition)) + " " + dims_text(context.dims(condition)));
  }
  uint32_t axis = 0;
  if (const std::optional<int64_t> given = context.find_int("axis")) {
    axis = context.axis(*given, context.dims(x).size(), "axis");
  } else {
    x = reshaped(context, x, {product(context.dims(x))}, "flat");
  }
  Dims dims = context.dims(x);
  const Dim picks = context.dims(condition)[0];
  if (picks > dims[axis]) {
    context.fail("the condition has " + dim_text(picks) + " elements, the axis " +
                 dim_text(dims[axis]));
  }
  const ValueId places = places_of_true(context, condition);
  dims[axis] = context.dims(places)[0];
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kGather, {x, places}, {y}, GatherAttributes{axis});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Imports Concat.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_concat(OpContext& context) {
  const size_t count = context.input_count();
  if (count == 0) context.fail("has no inputs");
  context.expect_operands(count, count);
  const ValueId first = context.input(0);
  Dims dims = context.dims(first);
  std::optional<int64_t> given = context.find_int("axis");
  if (!given && context.opset() < 4) given = 1;
  if (!given) context.fail_attribute("axis", "is missing");
  const uint32_t axis = context.axis(*given, dims.size(), "axis");
  dims[axis] = 0;
  std::vector<ValueId> inputs;  // those with elements
  for (size_t i = 0; i < count; ++i) {
    const ValueId x = context.input(i);
    Dims x_dims = context.dims(x);
    const Dim length = axis < x_dims.size() ? x_dims[axis] : Dim(0);
    if (axis < x_dims.size()) x_dims[axis] = dims[axis];
    if (x_dims != dims || context.dtype(x) != context.dtype(first)) {
      context.fail("input " + std::to_string(i) + " is " + dtype_name(context.dtype(x)) + " " +
                   dims_text(context.dims(x)) + ", expected " + dtype_name(context.dtype(first)) +
                   " " + dims_text(context.dims(first)) + " but for axis " + std::to_string(axis));
    }
    dims[axis] += length;
    if (context.value(x).elements() != 0) inputs.push_back(x);
  }
  if (inputs.size() == 1) {
    const ValueId y = context.add_output(0, context.dtype(first), dims);
    context.add_node(Op::kCopy, inputs, {y});
    return;
  }
  const ValueId y = context.add_output(0, context.dtype(first), dims);
  context.add_node(Op::kConcat, inputs, {y}, ConcatAttributes{axis});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

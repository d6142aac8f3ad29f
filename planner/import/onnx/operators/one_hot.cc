// Imports OneHot: its depth must be known.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_one_hot(OpContext& context) {
  context.expect_operands(3, 3);
  ValueId indices = context.input(0);
  const ValueId values = context.input(2);
  Dims dims = context.dims(indices);
  const auto depth = static_cast<int64_t>(constant_number(context, 1, "depth"));
  if (depth < 1) context.fail("input 'depth' holds " + std::to_string(depth) + ", expected 1 on");
  if (context.dims(values) != Dims{2}) {
    context.fail("input 'values' has dims " + dims_text(context.dims(values)) + ", expected [2]");
  }
  const uint32_t axis = context.axis(context.int_attribute("axis", -1), dims.size() + 1, "axis");
  if (context.dtype(indices) != DType::kInt64 && context.dtype(indices) != DType::kInt32) {
    const ValueId whole = context.add_between("indices", DType::kInt64, dims);
    context.add_node(Op::kCast, {indices}, {whole});
    indices = whole;
  }
  dims.insert(dims.begin() + axis, depth);
  const ValueId y = context.add_output(0, context.dtype(values), dims);
  context.add_node(Op::kOneHot, {indices, values}, {y}, OneHotAttributes{axis});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

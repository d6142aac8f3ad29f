// Imports TopK: how many is an attribute, from opset 10 on an input that must be known.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_top_k(OpContext& context) {
  const bool input = context.decides(1);
  context.expect_operands(input ? 2 : 1, input ? 2 : 1, 2);
  const ValueId x = context.input(0);
  Dims dims = context.dims(x);
  const uint32_t axis = context.axis(context.int_attribute("axis", -1), dims.size(), "axis");
  int64_t k = 0;
  if (input) {
    const std::vector<int64_t> given = *context.constant_ints(1, "k");
    if (given.size() != 1) context.fail("input 'k' holds no single number");
    k = given[0];
  } else {
    const std::optional<int64_t> given = context.find_int("k");
    if (!given) context.fail_attribute("k", "is missing");
    k = *given;
  }
  if (k < 0 || k > dims[axis]) {
    context.fail("k is " + std::to_string(k) + ", expected 0 to " + dim_text(dims[axis]));
  }
  const bool largest = context.opset() < 11 || context.flag_attribute("largest", true);
  // Without order any will do.
  if (context.opset() >= 11) context.flag_attribute("sorted", true);
  dims[axis] = k;
  const auto output = [&](size_t i, DType type) {
    return context.wants_output(i) ? context.add_output(i, type, dims)
                                   : context.add_between("unused", type, dims);
  };
  const ValueId values = output(0, context.dtype(x));
  const ValueId indices = output(1, DType::kInt64);
  context.add_node(Op::kTopK, {x}, {values, indices}, TopKAttributes{axis, largest ? 0u : 1u});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

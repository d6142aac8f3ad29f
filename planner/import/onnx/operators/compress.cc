// Imports Compress: a gather of what a constant condition picks.
#include <cstring>

#include "ops/attributes.h"
#include "planner/graph/names.h"
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
  context.expect_constant(1, "condition");
  uint32_t axis = 0;
  if (const std::optional<int64_t> given = context.find_int("axis")) {
    axis = context.axis(*given, context.dims(x).size(), "axis");
  } else {
    x = reshaped(context, x, {product(context.dims(x))}, "flat");
  }
  Dims dims = context.dims(x);
  const std::vector<uint8_t> picks = context.elements<uint8_t>(condition);
  if (static_cast<int64_t>(picks.size()) > dims[axis]) {
    context.fail("the condition has " + std::to_string(picks.size()) + " elements, the axis " +
                 dim_text(dims[axis]));
  }
  std::vector<int64_t> places;
  for (size_t i = 0; i < picks.size(); ++i) {
    if (picks[i] != 0) places.push_back(static_cast<int64_t>(i));
  }
  dims[axis] = static_cast<int64_t>(places.size());
  std::vector<std::byte> bytes(places.size() * sizeof(int64_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), places.data(), bytes.size());
  const ValueId indices =
      context.add_constant("picked", DType::kInt64, {dims[axis]}, std::move(bytes));
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kGather, {x, indices}, {y}, GatherAttributes{axis});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Imports the reductions: over all axes where none are given.
#include "ops/attributes.h"
#include "planner/ops/ops.h"
#include "planner/ops/shapes.h"

namespace arenite::planner {

void import_reduce(OpContext& context, Op op, int64_t axes_are_input) {
  const bool from_input = context.opset() >= axes_are_input;
  context.expect_operands(1, from_input ? 2 : 1);
  const ValueId x = context.input(0);
  const std::vector<uint32_t> dims = context.dims(x);
  const bool keep = context.flag_attribute("keepdims", true);
  bool none_means_none = false;
  std::optional<std::vector<int64_t>> given;
  if (from_input) {
    none_means_none = context.flag_attribute("noop_with_empty_axes", false);
    given = context.constant_ints(1, "axes");
  } else {
    given = context.ints_attribute("axes");
  }
  std::vector<uint32_t> axes;
  if (given && !given->empty()) {
    axes = context.axes(*given, dims.size(), "axes");
  } else if (!none_means_none) {
    for (uint32_t i = 0; i < dims.size(); ++i) axes.push_back(i);
  }
  if (axes.empty()) return copy_to_output(context, 0, x);
  ReduceAttributes attributes{};
  for (const uint32_t axis : axes) attributes.axes |= 1u << axis;
  std::vector<int64_t> kept;
  std::vector<int64_t> left;
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool reduced = ((attributes.axes >> i) & 1u) != 0;
    kept.push_back(reduced ? 1 : int64_t{dims[i]});
    if (!reduced) left.push_back(dims[i]);
  }
  if (keep) {
    const ValueId y = context.add_output(0, context.dtype(x), kept);
    context.add_node(op, {x}, {y}, attributes);
  } else {
    const ValueId reduced_value = context.add_between("reduced", context.dtype(x), kept);
    context.add_node(op, {x}, {reduced_value}, attributes);
    reshape_to_output(context, reduced_value, left);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Imports Unsqueeze: a view with more dimensions of 1.
#include <algorithm>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_unsqueeze(OpContext& context) {
  const bool axes_are_input = context.decides(1);
  context.expect_operands(axes_are_input ? 2 : 1, axes_are_input ? 2 : 1);
  const ValueId x = context.input(0);
  const Dims x_dims = context.dims(x);
  const std::optional<std::vector<int64_t>> given =
      axes_are_input ? context.constant_ints(1, "axes") : context.ints_attribute("axes");
  if (!given) context.fail_attribute("axes", "is missing");
  if (given->size() + x_dims.size() > kMaxRank) {
    context.unsupported_attribute("axes",
                                  "give rank " + std::to_string(given->size() + x_dims.size()) +
                                      ", above " + std::to_string(kMaxRank),
                                  "fewer dims");
  }
  const std::vector<uint32_t> axes = context.axes(*given, x_dims.size() + given->size(), "axes");
  Dims dims;
  size_t next = 0;
  for (uint32_t i = 0; i < x_dims.size() + axes.size(); ++i) {
    const bool added = std::find(axes.begin(), axes.end(), i) != axes.end();
    dims.push_back(added ? 1 : x_dims[next++]);
  }
  reshape_to_output(context, x, dims);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Imports Squeeze: a view without some dimensions of 1.
#include <algorithm>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_squeeze(OpContext& context) {
  const bool axes_are_input = context.decides(1);
  context.expect_operands(1, axes_are_input ? 2 : 1);
  const ValueId x = context.input(0);
  const Dims x_dims = context.dims(x);
  const std::optional<std::vector<int64_t>> given =
      axes_are_input ? context.constant_ints(1, "axes") : context.ints_attribute("axes");
  const std::vector<uint32_t> axes =
      context.axes(given.value_or(std::vector<int64_t>()), x_dims.size(), "axes");
  Dims dims;
  for (uint32_t i = 0; i < x_dims.size(); ++i) {
    const bool named = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (named && x_dims[i] != 1) {
      context.fail_attribute("axes", "axis " + std::to_string(i) + " of " + dims_text(x_dims) +
                                         " is " + dim_text(x_dims[i]) + ", expected 1");
    }
    const bool dropped = given ? named : asked(x_dims[i] == 1);
    if (!dropped) dims.push_back(x_dims[i]);
  }
  reshape_to_output(context, x, dims);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Imports GridSample of opsets 16 and 20: 4-D and 5-D, every mode and padding.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

GridSampleAttributes read_attributes(OpContext& context) {
  GridSampleAttributes attributes{};
  const std::string mode = context.string_attribute("mode", "linear");
  if (mode == "nearest") {
    attributes.mode = GridMode::kNearest;
  } else if (mode == "cubic" || mode == "bicubic") {
    attributes.mode = GridMode::kCubic;
  } else if (mode != "linear" && mode != "bilinear") {
    context.fail_attribute("mode", "is " + quote(mode) +
                                       ", expected linear, nearest or cubic (before opset 20 "
                                       "bilinear, nearest or bicubic)");
  }
  const std::string padding = context.string_attribute("padding_mode", "zeros");
  if (padding == "border") {
    attributes.padding = GridPadding::kBorder;
  } else if (padding == "reflection") {
    attributes.padding = GridPadding::kReflection;
  } else if (padding != "zeros") {
    context.fail_attribute("padding_mode",
                           "is " + quote(padding) + ", expected zeros, border or reflection");
  }
  attributes.align_corners = context.flag_attribute("align_corners", false) ? 1 : 0;
  return attributes;
}

}  // namespace

void import_grid_sample(OpContext& context) {
  context.expect_operands(2, 2);
  const ValueId x = context.input(0);
  ValueId grid = context.input(1);
  const Dims x_dims = context.dims(x);
  const Dims grid_dims = context.dims(grid);
  const size_t rank = x_dims.size();
  if ((rank != 4 && rank != 5) || grid_dims.size() != rank || grid_dims[0] != x_dims[0] ||
      grid_dims.back() != static_cast<int64_t>(rank) - 2) {
    context.fail(
        "expected an input [N, C, H, W] with a grid [N, H, W, 2], or [N, C, D, H, W] with "
        "[N, D, H, W, 3], found " +
        dims_text(x_dims) + " and " + dims_text(grid_dims));
  }
  if (context.dtype(grid) != context.dtype(x)) {
    const ValueId cast = context.add_between("grid", context.dtype(x), grid_dims);
    context.add_node(Op::kCast, {grid}, {cast});
    grid = cast;
  }
  Dims dims = {x_dims[0], x_dims[1]};
  dims.insert(dims.end(), grid_dims.begin() + 1, grid_dims.end() - 1);
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kGridSample, {x, grid}, {y}, read_attributes(context));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Imports CenterCropPad: a slice where it only crops, else one pad that may crop too.
#include <algorithm>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {

void import_center_crop_pad(OpContext& context) {
  context.expect_operands(2, 2);
  const ValueId x = context.input(0);
  const Dims from = context.dims(x);
  const std::vector<int64_t> shape = *context.constant_ints(1, "shape");
  std::vector<uint32_t> axes;
  if (const auto given = context.ints_attribute("axes"); given) {
    axes = context.axes(*given, from.size(), "axes");
  } else {
    for (uint32_t d = 0; d < from.size(); ++d) axes.push_back(d);
  }
  if (shape.size() != axes.size()) {
    context.fail("input 'shape' holds " + std::to_string(shape.size()) + " numbers, expected " +
                 std::to_string(axes.size()));
  }
  PadAttributes pad{};
  SliceAttributes slice{};
  std::fill(std::begin(slice.step), std::end(slice.step), 1);
  Dims dims = from;
  bool grows = false;
  for (size_t i = 0; i < axes.size(); ++i) {
    const uint32_t d = axes[i];
    if (shape[i] < 0 || shape[i] > INT32_MAX) {
      context.fail("input 'shape' holds " + std::to_string(shape[i]) +
                   ", expected 0 to 2147483647");
    }
    dims[d] = shape[i];
    const int64_t size = baked(from[d], "the border of a crop or pad");
    grows = grows || shape[i] > size;
    // The odd element is at the end, of what is cut off and of what is added.
    pad.begin[d] =
        static_cast<int32_t>(shape[i] > size ? (shape[i] - size) / 2 : -((size - shape[i]) / 2));
    slice.start[d] = -pad.begin[d];
  }
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  if (grows) {
    context.add_node(Op::kPad, {x}, {y}, pad);
  } else {
    context.add_node(Op::kSlice, {x}, {y}, slice);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// The contract of grid_sample: places of x, given for each output, over three spatial dims.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_grid_sample(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor grid = step.input(1);
  const OutTensor y = step.output(0);
  if (x.rank() != 5) return input_error(step, Code::kBadShape, 0);
  if (y.rank() != 5 || y.dims[0] != x.dims[0] || y.dims[1] != x.dims[1]) {
    return output_error(step, Code::kBadShape);
  }
  // Two coordinates: images of depth 1.
  const bool flat = grid.rank() == 4;
  if (!flat && grid.rank() != 5) return input_error(step, Code::kBadShape, 1);
  bool fits = grid.dims[0] == x.dims[0] && grid.dims[grid.rank() - 1] == grid.rank() - 2;
  if (flat) fits = fits && x.dims[2] == 1 && y.dims[2] == 1;
  for (uint32_t d = 1; fits && d + 1 < grid.rank(); ++d) {
    fits = grid.dims[d] == y.dims[d + (flat ? 2 : 1)];
  }
  if (!fits) return input_error(step, Code::kBadShape, 1);
  for (uint32_t d = 2; d < 5; ++d) {
    if (x.dims[d] >= kMaxGridSize) return input_error(step, Code::kBadShape, 0);
    // Something must lie nearest.
    if (x.dims[d] == 0 && !is_empty(y)) return input_error(step, Code::kBadShape, 0);
  }
  const auto attributes = step.attributes<GridSampleAttributes>();
  if (attributes.mode > GridMode::kCubic || attributes.padding > GridPadding::kReflection ||
      attributes.align_corners > 1) {
    return error(Code::kBadAttribute);
  }
  return check_dense_enough(step, 0);
}

}  // namespace

constexpr Contract kGridSampleContract = {
    .op = Op::kGridSample,
    .max_inputs = 2,
    .min_inputs = 2,
    .attribute_words = words_of<GridSampleAttributes>(),
    .layout = {.kind = LayoutClass::kSpatial, .operands = 1, .rank = 5},
    .types = kGridSampleTypes,
    .check = check_grid_sample,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

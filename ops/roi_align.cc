// The contract of roi_align: bins of regions of images, by regions known only at run time.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_roi_align(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor rois = step.input(1);
  const OutTensor y = step.output(0);
  if (x.rank() != 4) return input_error(step, Code::kBadShape, 0);
  if (rois.rank() != 2 || rois.dims[1] != 4) return input_error(step, Code::kBadShape, 1);
  if (y.rank() != 4 || y.dims[0] != rois.dims[0] || y.dims[1] != x.dims[1]) {
    return output_error(step, Code::kBadShape);
  }
  ARENITE_TRY(check_vector(step, 2, rois.dims[0]));
  for (uint32_t d = 2; d < 4; ++d) {
    if (x.dims[d] >= kMaxGridSize || y.dims[d] >= kMaxGridSize) {
      return input_error(step, Code::kBadShape, 0);
    }
  }
  // Some image must be there to take a sample of.
  if (is_empty(x) && !is_empty(y)) return input_error(step, Code::kBadShape, 0);
  const auto attributes = step.attributes<RoiAlignAttributes>();
  if (attributes.take_max > 1 || attributes.half_pixel > 1 ||
      attributes.sampling > kMaxRoiSamples) {
    return error(Code::kBadAttribute);
  }
  return check_dense_enough(step, 0);
}

}  // namespace

constexpr Contract kRoiAlignContract = {
    .op = Op::kRoiAlign,
    .max_inputs = 3,
    .min_inputs = 3,
    .attribute_words = words_of<RoiAlignAttributes>(),
    .types = kRoiAlignTypes,
    .inputs = {OperandType::kT, OperandType::kT, OperandType::kInt64},
    .check = check_roi_align,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The contract of conv_3d: a convolution over three spatial dims, in groups, of strided or packed
// weights.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/panels.h"
#include "ops/window.h"

namespace arenite {
namespace {

Status check_conv_3d(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (x.rank() != 5) return input_error(step, Code::kBadShape, 0);
  if (w.rank() != 5) return input_error(step, Code::kBadShape, 1);
  if (y.rank() != 5 || y.dims[0] != x.dims[0] || y.dims[1] != w.dims[0]) {
    return output_error(step, Code::kBadShape);
  }
  const auto attributes = step.attributes<Conv3dAttributes>();
  const uint32_t groups = attributes.groups;
  if (groups == 0 || w.dims[0] % groups != 0 || x.dims[1] % groups != 0) {
    return error(Code::kBadAttribute);
  }
  if (w.dims[1] != x.dims[1] / groups) return input_error(step, Code::kBadShape, 1);
  ARENITE_TRY(check_vector(step, 2, w.dims[0]));
  for (uint32_t axis = 0; axis < 3; ++axis) {
    if (!window_fits(conv_window(attributes, x, w, axis), y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  ARENITE_TRY(check_activation(attributes.activation));
  ARENITE_TRY(check_dense_enough(step, 0));
  if (w.layout() == Layout::kStrided) return check_dense_enough(step, 1);
  if (groups != 1) return input_error(step, Code::kBadLayout, 1);
  const uint64_t k = uint64_t{w.dims[1]} * w.dims[2] * w.dims[3] * w.dims[4];
  return panels_hold(w, w.dims[0], k) ? ok_status() : input_error(step, Code::kBadRange, 1);
}

}  // namespace

constexpr Contract kConv3dContract = {
    .op = Op::kConv3d,
    .max_inputs = 3,
    .min_inputs = 2,
    .attribute_words = words_of<Conv3dAttributes>(),
    .activation_word = activation_of<Conv3dAttributes>(),
    .work = Work::kWeights,
    .layout = {.kind = LayoutClass::kSpatial, .operands = 2, .rank = 5},
    .packings = kPackedWeights,
    .types = kConv3dTypes,
    .inputs = {OperandType::kT, OperandType::kTOrHalf, OperandType::kT},
    .check = check_conv_3d,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The contract of conv_3d: a convolution over three spatial dims, in groups, of strided or packed
// weights.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/filters.h"
#include "ops/packings.h"
#include "ops/window.h"

namespace arenite {
namespace {

Status check_conv_3d(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<Conv3dAttributes>();
  ARENITE_TRY(check_filters(step, {x, w, y}, 3, attributes.groups));
  for (uint32_t axis = 0; axis < 3; ++axis) {
    if (!window_fits(conv_window(attributes, x, w, axis), y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  ARENITE_TRY(check_activation(attributes.activation));
  return check_filter_panels(step, attributes.groups);
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
    .packings = kFloatPackings,
    .types = kConv3dTypes,
    .inputs = {OperandType::kT, OperandType::kTOrHalf, OperandType::kT},
    .check = check_conv_3d,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

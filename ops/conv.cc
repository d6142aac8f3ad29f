// The contract of conv: a convolution over two spatial dims, in groups, of strided or packed
// weights.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/filters.h"
#include "ops/packings.h"
#include "ops/window.h"

namespace arenite {
namespace {

Status check_conv(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<ConvAttributes>();
  ARENITE_TRY(check_filters(step, {x, w, y}, 2, attributes.groups));
  for (uint32_t axis = 0; axis < 2; ++axis) {
    if (!window_fits(conv_window(attributes, x, w, axis), y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  if (step.has_input(kResidualInput)) ARENITE_TRY(check_same_dims(step, kResidualInput));
  ARENITE_TRY(check_activation(attributes.activation));
  return check_filter_panels(step, attributes.groups);
}

}  // namespace

constexpr Contract kConvContract = {
    .op = Op::kConv,
    .max_inputs = 4,
    .min_inputs = 2,
    .attribute_words = words_of<ConvAttributes>(),
    .activation_word = activation_of<ConvAttributes>(),
    .work = Work::kWeights,
    .layout = {.kind = LayoutClass::kSpatial, .operands = 2, .rank = 4},
    .packings = kFloatPackings,
    .types = kConvTypes,
    .inputs = {OperandType::kT, OperandType::kTOrHalf, OperandType::kT},
    .check = check_conv,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

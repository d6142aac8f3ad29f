// The contract of pointwise_depthwise: two convolutions, of which the second has one input channel
// for each output channel.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/filters.h"
#include "ops/packings.h"
#include "ops/window.h"

namespace arenite {
namespace {

constexpr uint8_t kInputs = 5;
constexpr uint32_t kTapsInput = 3, kTapsBiasInput = 4;

Status check_pointwise_depthwise(const Step& step) {
  const Tensor x = step.input(0), w = step.input(1), taps = step.input(kTapsInput);
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<PointwiseDepthwiseAttributes>();
  ARENITE_TRY(check_filters(step, {x, w, y}, 2, 1));
  if (w.dims[2] != 1 || w.dims[3] != 1) return input_error(step, Code::kBadShape, 1);
  if (taps.rank() != 3 || taps.dims[2] != w.dims[0]) {
    return input_error(step, Code::kBadShape, kTapsInput);
  }
  ARENITE_TRY(check_dense_enough(step, kTapsInput));
  ARENITE_TRY(check_vector(step, kTapsBiasInput, w.dims[0]));
  for (uint32_t axis = 0; axis < 2; ++axis) {
    if (!window_fits(taps_window(attributes, x, taps, axis), y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  ARENITE_TRY(check_activation(attributes.activation));
  ARENITE_TRY(check_activation(attributes.inner_activation));
  return check_filter_panels(step, 1);
}

}  // namespace

constexpr Contract kPointwiseDepthwiseContract = {
    .op = Op::kPointwiseDepthwise,
    .max_inputs = kInputs,
    .min_inputs = kInputs,
    .attribute_words = words_of<PointwiseDepthwiseAttributes>(),
    .activation_word = activation_of<PointwiseDepthwiseAttributes>(),
    .work = Work::kWeights,
    .layout = {.kind = LayoutClass::kSpatial, .operands = 2},
    .packings = kPanelPackings,
    .types = kPointwiseDepthwiseTypes,
    .inputs = {OperandType::kT, OperandType::kTOrHalf, OperandType::kT},
    .check = check_pointwise_depthwise,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

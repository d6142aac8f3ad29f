// The contract of quantized_conv: a convolution of integers over two spatial dims, in groups.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/filters.h"
#include "ops/packings.h"
#include "ops/quantized.h"
#include "ops/window.h"

namespace arenite {
namespace {

Status check_quantized_conv(const Step& step) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (!has(kQuantizedWeights, w.dtype())) return input_error(step, Code::kBadType, 1);
  ARENITE_TRY(check_filters(step, {x, w, y}, 2, attributes.groups));
  for (uint32_t axis = 0; axis < 2; ++axis) {
    if (!window_fits(conv_window(attributes, x, w, axis), y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  ARENITE_TRY(check_quantized_channels(step, w.dims[0]));
  return check_quantized_product(step, {attributes.x_zero_point, attributes.w_zero_point,
                                        attributes.outside, attributes.output});
}

}  // namespace

constexpr Contract kQuantizedConvContract = {
    .op = Op::kQuantizedConv,
    .max_inputs = kQuantizedInputs,
    .min_inputs = 2,
    .attribute_words = words_of<QuantizedConvAttributes>(),
    .work = Work::kWeights,
    .layout = {.kind = LayoutClass::kSpatial, .operands = 2, .rank = 4},
    .packings = kQuantizedPackings,
    .types = kQuantizedConvTypes,
    .inputs = {OperandType::kT, OperandType::kAny, OperandType::kAny},
    .outputs = {OperandType::kAny, OperandType::kAny},
    .check = check_quantized_conv,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

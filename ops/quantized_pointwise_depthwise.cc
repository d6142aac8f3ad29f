// The contract of quantized_pointwise_depthwise: two convolutions of integers, of which the second
// has one input channel for each output channel.
#include <initializer_list>

#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/filters.h"
#include "ops/quantized_conv_ends.h"
#include "ops/requantization.h"
#include "ops/result_tables.h"
#include "ops/window.h"

namespace arenite {
namespace {

constexpr uint8_t kInputs = 6;
constexpr uint32_t kTapsInput = 3, kTapsEndsInput = 4, kTablesInput = 5;

Status check_types(const Step& step) {
  for (const uint32_t i : {uint32_t{1}, kTapsInput}) {
    if (!has(types::kByte, step.dtype(i))) return input_error(step, Code::kBadType, i);
  }
  for (const uint32_t i : {kEndsInput, kTapsEndsInput}) {
    if (step.dtype(i) != DType::kInt32) return input_error(step, Code::kBadType, i);
  }
  return has(types::kByte, step.output(0).dtype()) ? ok_status()
                                                   : output_error(step, Code::kBadType);
}

Status check_numbers(const Step& step, const QuantizedPointwiseDepthwiseAttributes& attributes) {
  // A table is read by numbers of its type.
  const DType type = step.output(0).dtype();
  ARENITE_TRY(
      check_requantization(attributes.inner, step.has_input(kTablesInput) ? type : DType::kInt16));
  ARENITE_TRY(check_requantization(attributes.output, type));
  const bool good = is_one_of(attributes.x_zero_point, step.dtype(0)) &&
                    is_one_of(attributes.w_zero_point, step.dtype(1)) &&
                    is_one_of(attributes.inner_zero_point, DType::kInt16) &&
                    is_one_of(attributes.taps_zero_point, step.dtype(kTapsInput));
  return good ? ok_status() : error(Code::kBadAttribute);
}

Status check_quantized_pointwise_depthwise(const Step& step) {
  ARENITE_TRY(check_types(step));
  const Tensor x = step.input(0), w = step.input(1), taps = step.input(kTapsInput);
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<QuantizedPointwiseDepthwiseAttributes>();
  ARENITE_TRY(check_filter_dims(step, {x, w, y}, 2, 1));
  if (w.dims[2] != 1 || w.dims[3] != 1) return input_error(step, Code::kBadShape, 1);
  if (taps.rank() != 3 || taps.dims[2] != w.dims[0]) {
    return input_error(step, Code::kBadShape, kTapsInput);
  }
  ARENITE_TRY(check_dense_enough(step, kTapsInput));
  ARENITE_TRY(check_ends(step, kEndsInput, w.dims[0]));
  ARENITE_TRY(check_ends(step, kTapsEndsInput, w.dims[0]));
  if (step.has_input(kTablesInput)) {
    ARENITE_TRY(check_result_tables(step, kTablesInput, y.dtype()));
  }
  for (uint32_t axis = 0; axis < 2; ++axis) {
    if (!window_fits(taps_window(attributes, x, taps, axis), y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  return check_numbers(step, attributes);
}

}  // namespace

constexpr Contract kQuantizedPointwiseDepthwiseContract = {
    .op = Op::kQuantizedPointwiseDepthwise,
    .max_inputs = kInputs,
    .min_inputs = kInputs - 1,
    .attribute_words = words_of<QuantizedPointwiseDepthwiseAttributes>(),
    .work = Work::kWeights,
    .layout = {.kind = LayoutClass::kSpatial, .operands = 2, .rank = 4},
    .types = kQuantizedPointwiseDepthwiseTypes,
    .inputs = {OperandType::kT, OperandType::kAny, OperandType::kAny},
    .outputs = {OperandType::kAny, OperandType::kAny},
    .check = check_quantized_pointwise_depthwise,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The contract of quantized_conv_add: a convolution of integers, to whose results a residual comes.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/filters.h"
#include "ops/quantized.h"
#include "ops/requantization.h"
#include "ops/window.h"

namespace arenite {
namespace {

constexpr uint8_t kInputs = 4;
constexpr uint32_t kEndsInput = 2;
constexpr uint32_t kEnds = 3;  // biases, multipliers, shifts

Status check_types(const Step& step) {
  const DType y = step.dtype(kInputs);
  if (!has(types::kByte, step.dtype(1))) return input_error(step, Code::kBadType, 1);
  if (step.dtype(kEndsInput) != DType::kInt32) {
    return input_error(step, Code::kBadType, kEndsInput);
  }
  if (step.dtype(kResidualInput) != y) return input_error(step, Code::kBadType, kResidualInput);
  return has(types::kByte, y) ? ok_status() : output_error(step, Code::kBadType);
}

Status check_numbers(const Step& step, const QuantizedConvAddAttributes& attributes) {
  const QuantizedConvAttributes& conv = attributes.conv;
  const DType y = step.dtype(kInputs);
  if (!is_one_of(conv.x_zero_point, step.dtype(0)) || !is_one_of(conv.outside, step.dtype(0)) ||
      !is_one_of(conv.w_zero_point, step.dtype(1))) {
    return error(Code::kBadAttribute);
  }
  ARENITE_TRY(check_requantization(conv.output, y));
  return check_quantized_sum(attributes.sum, y);
}

Status check_quantized_conv_add(const Step& step) {
  ARENITE_TRY(check_types(step));
  const Tensor x = step.input(0), w = step.input(1), ends = step.input(kEndsInput);
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<QuantizedConvAddAttributes>();
  ARENITE_TRY(check_filter_dims(step, {x, w, y}, 2, attributes.conv.groups));
  if (ends.rank() != 2 || ends.dims[0] != kEnds || ends.dims[1] != w.dims[0]) {
    return input_error(step, Code::kBadShape, kEndsInput);
  }
  ARENITE_TRY(check_dense_enough(step, kEndsInput));
  for (uint32_t axis = 0; axis < 2; ++axis) {
    if (!window_fits(conv_window(attributes.conv, x, w, axis), y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  ARENITE_TRY(check_same_dims(step, kResidualInput));
  return check_numbers(step, attributes);
}

}  // namespace

constexpr Contract kQuantizedConvAddContract = {
    .op = Op::kQuantizedConvAdd,
    .max_inputs = kInputs,
    .min_inputs = kInputs,
    .attribute_words = words_of<QuantizedConvAddAttributes>(),
    .work = Work::kWeights,
    .layout = {.kind = LayoutClass::kSpatial, .operands = 2, .rank = 4},
    .types = kQuantizedConvAddTypes,
    .inputs = {OperandType::kT, OperandType::kAny, OperandType::kAny},
    .outputs = {OperandType::kAny, OperandType::kAny},
    .check = check_quantized_conv_add,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

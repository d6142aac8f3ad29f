// The contract of quantized_conv_add: a convolution of integers, to whose results a residual comes.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/quantized.h"
#include "ops/quantized_conv_ends.h"

namespace arenite {
namespace {

Status check_quantized_conv_add(const Step& step) {
  const auto attributes = step.attributes<QuantizedConvAddAttributes>();
  ARENITE_TRY(check_conv_with_ends(step, attributes.conv));
  ARENITE_TRY(check_same_dims(step, kResidualInput));
  return check_quantized_sum(attributes.sum, step.dtype(kJoinedInputs));
}

}  // namespace

constexpr Contract kQuantizedConvAddContract = {
    .op = Op::kQuantizedConvAdd,
    .max_inputs = kJoinedInputs,
    .min_inputs = kJoinedInputs,
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

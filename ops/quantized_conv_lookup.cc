// The contract of quantized_conv_lookup: a convolution of integers, and a table of what its results
// become.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/quantized_conv_ends.h"

namespace arenite {
namespace {

constexpr uint32_t kNumbers = 256;

Status check_quantized_conv_lookup(const Step& step) {
  ARENITE_TRY(check_conv_with_ends(step, step.attributes<QuantizedConvAttributes>()));
  const Tensor table = step.input(kJoinedInput);
  const bool is_table = table.rank() == 1 && table.dims[0] == kNumbers;
  return is_table ? ok_status() : input_error(step, Code::kBadShape, kJoinedInput);
}

}  // namespace

constexpr Contract kQuantizedConvLookupContract = {
    .op = Op::kQuantizedConvLookup,
    .max_inputs = kJoinedInputs,
    .min_inputs = kJoinedInputs,
    .attribute_words = words_of<QuantizedConvAttributes>(),
    .work = Work::kWeights,
    .layout = {.kind = LayoutClass::kSpatial, .operands = 2, .rank = 4},
    .types = kQuantizedConvLookupTypes,
    .inputs = {OperandType::kT, OperandType::kAny, OperandType::kAny},
    .outputs = {OperandType::kAny, OperandType::kAny},
    .check = check_quantized_conv_lookup,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The contract of quantize: floats to integers, by scales and zero points.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_quantize(const Step& step) {
  if (step.dtype(0) != DType::kFloat32) return input_error(step, Code::kBadType, 0);
  if (step.dtype(1) != DType::kFloat32) return input_error(step, Code::kBadType, 1);
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_same_dims(step, 1));
  if (step.has_input(2)) ARENITE_TRY(check_same_dims(step, 2));
  const auto attributes = step.attributes<QuantizeAttributes>();
  return attributes.rounding <= Rounding::kHalfEven ? ok_status() : error(Code::kBadAttribute);
}

}  // namespace

constexpr Contract kQuantizeContract = {
    .op = Op::kQuantize,
    .max_inputs = 3,
    .min_inputs = 2,
    .attribute_words = words_of<QuantizeAttributes>(),
    .layout = {.kind = LayoutClass::kElementwise, .operands = 3},
    .types = kQuantizeTypes,
    .inputs = {OperandType::kAny, OperandType::kAny, OperandType::kT},
    .check = check_quantize,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

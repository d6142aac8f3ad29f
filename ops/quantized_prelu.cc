// The contract of quantized_prelu: integers, those below zero times a slope.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

Status check_quantized_prelu(const Step& step) {
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_same_dims(step, 1));
  const auto attributes = step.attributes<QuantizedPReluAttributes>();
  const DType type = step.output(0).dtype();
  if (!are_factors(type, attributes.zero_points) ||
      !is_multiplier(attributes.multipliers[0], attributes.shifts[0]) ||
      !is_multiplier(attributes.multipliers[1], attributes.shifts[1])) {
    return error(Code::kBadAttribute);
  }
  return check_requantization(attributes.output, type);
}

}  // namespace

constexpr Contract kQuantizedPReluContract = {
    .op = Op::kQuantizedPRelu,
    .max_inputs = 2,
    .min_inputs = 2,
    .attribute_words = words_of<QuantizedPReluAttributes>(),
    .layout = {.kind = LayoutClass::kElementwise, .operands = 2},
    .types = kQuantizedPReluTypes,
    .check = check_quantized_prelu,
};

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

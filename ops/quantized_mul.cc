// The contract of quantized_mul: products of integers.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

Status check_quantized_mul(const Step& step) {
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_same_dims(step, 1));
  const auto attributes = step.attributes<QuantizedMulAttributes>();
  const DType type = step.output(0).dtype();
  if (!are_factors(type, attributes.zero_points) ||
      !is_multiplier(attributes.multiplier, attributes.shift)) {
    return error(Code::kBadAttribute);
  }
  return check_requantization(attributes.output, type);
}

}  // namespace

constexpr Contract kQuantizedMulContract = {
    .op = Op::kQuantizedMul,
    .max_inputs = 2,
    .min_inputs = 2,
    .attribute_words = words_of<QuantizedMulAttributes>(),
    .layout = {.kind = LayoutClass::kElementwise, .operands = 2},
    .types = kQuantizedMulTypes,
    .check = check_quantized_mul,
};

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

// The contract of quantized_add: sums and differences of integers of different scales.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

constexpr int32_t kWeightEnd = 1 << 22;
constexpr int32_t kFractionMax = 62;

bool adds_once(Rounding rounding) {
  return rounding == Rounding::kHalfEven || rounding == Rounding::kFloat32;
}

bool has_multipliers(const QuantizedAddAttributes& attributes) {
  const int32_t* shifts = attributes.shifts;
  const int32_t* multipliers = attributes.multipliers;
  if (adds_once(attributes.output.rounding)) {
    return attributes.kind != SumKind::kSquare && multipliers[0] >= 0 &&
           multipliers[0] < kWeightEnd && multipliers[1] >= 0 && multipliers[1] < kWeightEnd &&
           multipliers[2] == 0 && shifts[0] == 0 && shifts[1] == 0 && shifts[2] >= 0 &&
           shifts[2] <= kFractionMax && attributes.left_shift == 0;
  }
  return is_multiplier(multipliers[0], shifts[0]) && is_multiplier(multipliers[1], shifts[1]) &&
         is_multiplier(multipliers[2], shifts[2]) && attributes.left_shift < 32;
}

Status check_quantized_add(const Step& step) {
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_same_dims(step, 1));
  const auto attributes = step.attributes<QuantizedAddAttributes>();
  const DType type = step.output(0).dtype();
  const IntegerRange range = range_of(type);
  if (!range.holds(attributes.zero_points[0]) || !range.holds(attributes.zero_points[1]) ||
      attributes.kind > SumKind::kSquare || !has_multipliers(attributes)) {
    return error(Code::kBadAttribute);
  }
  return check_requantization(attributes.output, type);
}

}  // namespace

constexpr Contract kQuantizedAddContract = {
    .op = Op::kQuantizedAdd,
    .max_inputs = 2,
    .min_inputs = 2,
    .attribute_words = words_of<QuantizedAddAttributes>(),
    .layout = {.kind = LayoutClass::kElementwise, .operands = 2},
    .types = kQuantizedAddTypes,
    .check = check_quantized_add,
};

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

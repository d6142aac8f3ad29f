// Reads the factors of sums, products and other scales of 16-bit integers from their steps.
#include "portable_fallback/shared/int16_pairs.h"

#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kLeftMax = 15;

bool divides(int32_t shift) { return shift <= 0 && shift >= -31; }
bool is_at_most_half(int32_t multiplier, int32_t shift) {
  return shift < 0 || multiplier <= 1 << 30;
}

DspFactor factor_of(const QuantizedAddAttributes& by, uint32_t i) {
  const auto right = static_cast<uint32_t>(-by.shifts[i]);
  return {by.multipliers[i], right, static_cast<int32_t>((1u << right) >> 1), right == 0 ? 0 : -1};
}

}  // namespace

bool takes_int16_sums(const Step& step) {
  const auto by = step.attributes<QuantizedAddAttributes>();
  if (step.dtype(0) != DType::kInt16 || by.output.rounding != Rounding::kTfliteDouble ||
      by.kind == SumKind::kSquare || by.left_shift > kLeftMax || !divides(by.shifts[2])) {
    return false;
  }
  for (uint32_t i = 0; i < 2; ++i) {
    if (by.zero_points[i] != 0 || !divides(by.shifts[i]) ||
        !is_at_most_half(by.multipliers[i], by.shifts[i])) {
      return false;
    }
  }
  return true;
}

Int16SumFactors int16_sums(const Step& step) {
  const auto by = step.attributes<QuantizedAddAttributes>();
  return {by.left_shift,
          {factor_of(by, 0), factor_of(by, 1)},
          by.kind == SumKind::kDifference,
          factor_of(by, 2),
          by.output.zero_point,
          by.output.low,
          by.output.high};
}

bool takes_int16_pairs(const Step& step) {
  const auto by = step.attributes<QuantizedMulAttributes>();
  return step.dtype(0) == DType::kInt16 && by.output.rounding == Rounding::kTfliteDouble &&
         by.zero_points[0] == 0 && by.zero_points[1] == 0;
}

Int16Factor int16_pairs(const Step& step) {
  const auto by = step.attributes<QuantizedMulAttributes>();
  return {{by.multiplier, by.shift}, by.output.zero_point, by.output.low, by.output.high};
}

bool takes_int16_requantize(const Step& step) {
  const auto by = step.attributes<RequantizeAttributes>();
  return step.dtype(0) == DType::kInt16 && step.dtype(step.input_count()) == DType::kInt16 &&
         by.output.rounding == Rounding::kTfliteDouble && by.x_zero_point == 0;
}

Int16Factor int16_requantize(const Step& step) {
  const auto by = step.attributes<RequantizeAttributes>();
  return {{by.multiplier, by.shift}, by.output.zero_point, by.output.low, by.output.high};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

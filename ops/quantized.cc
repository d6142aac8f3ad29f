// Checks the operands and attributes that quantized convolutions and matrix products share.
#include "ops/quantized.h"

#include "ops/check.h"
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

}  // namespace

Status check_quantized_product(const Step& step, const QuantizedProduct& product) {
  const DType x = step.dtype(0);
  const DType w = step.dtype(1);
  const DType y = step.dtype(step.input_count());
  const bool sums = !step.has_input(kMultipliersInput);
  if (step.has_input(kShiftsInput) == sums) return error(Code::kBadOperandCount);
  if (sums ? y != DType::kInt32 : !has(types::kQuantizedFactor, y)) {
    return output_error(step, Code::kBadType);
  }
  TypeSet bias = type_set(DType::kInt32);
  if (x == DType::kInt16 && !sums) bias |= type_set(DType::kInt64);
  // The bias has the first, then come multipliers, shifts and the zero points of x and of w.
  const TypeSet types[] = {bias, type_set(DType::kInt32), type_set(DType::kInt8), type_set(x),
                           type_set(w)};
  const uint32_t inputs = step.input_count();
  const uint32_t* operands = step.operand_words();
  for (uint32_t i = kBiasInput; i < inputs; ++i) {
    if (operands[i] == kNoIndex) continue;
    const auto type = static_cast<DType>(elements_of(step.bindings(), operands[i]).dtype);
    if (!has(types[i - kBiasInput], type)) return input_error(step, Code::kBadType, i);
  }
  const Requantization& output = product.output;
  const bool good = is_one_of(product.x_zero_point, x) && is_one_of(product.outside, x) &&
                    is_one_of(product.w_zero_point, w) && output.rounding <= Rounding::kFloat32 &&
                    (sums || (is_one_of(output.low, y) && is_one_of(output.high, y)));
  return good ? ok_status() : error(Code::kBadAttribute);
}

Status check_quantized_channels(const Step& step, uint32_t outputs) {
  for (uint32_t i = kMultipliersInput; i < step.input_count(); ++i) {
    if (i == kXZeroPointInput || step.input_value(i) == kNoIndex) continue;
    const format::ElementsRecord& each = step.elements(i);
    const uint32_t* count = step.bindings().shapes + each.shape;
    if (each.rank != 1 || (*count != 1 && *count != outputs)) {
      return input_error(step, Code::kBadShape, i);
    }
  }
  return check_single(step, kXZeroPointInput);
}

Status check_quantized_sum(const QuantizedAddAttributes& attributes, DType type) {
  const IntegerRange range = range_of(type);
  if (!range.holds(attributes.zero_points[0]) || !range.holds(attributes.zero_points[1]) ||
      attributes.kind > SumKind::kSquare || !has_multipliers(attributes)) {
    return error(Code::kBadAttribute);
  }
  return check_requantization(attributes.output, type);
}

bool has_wide_sums(const Step& step) {
  return step.dtype(0) == DType::kInt16 && step.has_input(kMultipliersInput) &&
         (!step.has_input(kBiasInput) || step.dtype(kBiasInput) == DType::kInt64);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

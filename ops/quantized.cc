// Checks the operands and attributes that quantized convolutions and matrix products share.
#include "ops/quantized.h"

#include "ops/check.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

bool holds(DType type, int32_t value) { return range_of(type).holds(value); }

// Checks the type of input `i`, if the step has that input.
Status check_type(const Step& step, uint32_t i, TypeSet types) {
  const bool good = !step.has_input(i) || has(types, step.input(i).dtype());
  return good ? ok_status() : input_error(step, Code::kBadType, i);
}

}  // namespace

Status check_quantized_product(const Step& step, const QuantizedProduct& product) {
  const DType x = step.input(0).dtype();
  const DType w = step.input(1).dtype();
  const DType y = step.output(0).dtype();
  const bool sums = !step.has_input(kMultipliersInput);
  if (step.has_input(kShiftsInput) == sums) return error(Code::kBadOperandCount);
  if (sums ? y != DType::kInt32 : !has(types::kQuantizedFactor, y)) {
    return output_error(step, Code::kBadType);
  }
  TypeSet bias = type_set(DType::kInt32);
  if (x == DType::kInt16 && !sums) bias |= type_set(DType::kInt64);
  ARENITE_TRY(check_type(step, kBiasInput, bias));
  ARENITE_TRY(check_type(step, kMultipliersInput, type_set(DType::kInt32)));
  ARENITE_TRY(check_type(step, kShiftsInput, type_set(DType::kInt8)));
  ARENITE_TRY(check_type(step, kXZeroPointInput, type_set(x)));
  ARENITE_TRY(check_type(step, kWZeroPointsInput, type_set(w)));
  const Requantization& output = product.output;
  const bool good = holds(x, product.x_zero_point) && holds(x, product.outside) &&
                    holds(w, product.w_zero_point) && output.rounding <= Rounding::kFloat32 &&
                    (sums || (holds(y, output.low) && holds(y, output.high)));
  return good ? ok_status() : error(Code::kBadAttribute);
}

Status check_quantized_channels(const Step& step, uint32_t outputs) {
  constexpr uint32_t kChannelInputs[] = {kMultipliersInput, kShiftsInput, kWZeroPointsInput};
  for (const uint32_t i : kChannelInputs) {
    if (!check_vector(step, i, 1).ok()) ARENITE_TRY(check_vector(step, i, outputs));
  }
  return check_single(step, kXZeroPointInput);
}

bool has_wide_sums(const Step& step) {
  return step.input(0).dtype() == DType::kInt16 && step.has_input(kMultipliersInput) &&
         (!step.has_input(kBiasInput) || step.input(kBiasInput).dtype() == DType::kInt64);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

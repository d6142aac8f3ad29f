// Reads the factor and zero points of a requantization from its step.
#include "portable_fallback/shared/integer_requantize.h"

#include "ops/attributes.h"

namespace arenite {

bool takes_integer_requantize(const Step& step) {
  return step.attributes<RequantizeAttributes>().output.rounding == Rounding::kTfliteDouble &&
         element_bytes(step.dtype(0)) == 1 && element_bytes(step.dtype(step.input_count())) == 1;
}

bool narrows_int16(const Step& step) {
  return step.attributes<RequantizeAttributes>().output.rounding == Rounding::kTfliteDouble &&
         step.dtype(0) == DType::kInt16 && element_bytes(step.dtype(step.input_count())) == 1;
}

bool widens_bytes(const Step& step) {
  return step.attributes<RequantizeAttributes>().output.rounding == Rounding::kTfliteDouble &&
         element_bytes(step.dtype(0)) == 1 && step.dtype(step.input_count()) == DType::kInt16;
}

IntegerRequantize integer_requantize(const Step& step) {
  const auto by = step.attributes<RequantizeAttributes>();
  const bool is_signed = step.dtype(0) == DType::kInt8;
  return {
      {by.multiplier, by.shift}, is_signed ? 0x80u : 0u, (is_signed ? -128 : 0) - by.x_zero_point,
      by.output.zero_point,      by.output.low,          by.output.high};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

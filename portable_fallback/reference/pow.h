// Powers whose base or exponent is no float32: what family binary, of one type, does not do.
#pragma once

#include "portable_fallback/forms.h"
#include "portable_fallback/shared/binary_rows.h"

namespace arenite {

Status run_pow_of_integers(const Step& step, const Platform& platform);
Status run_pow_of_any(const Step& step, const Platform& platform);

// Whether form 0 takes the step.
inline bool pow_of_floats(const Step& step) { return step.input(1).dtype() == DType::kFloat32; }

// Types of both operands that form 1 takes, those of form 0 included.
inline constexpr TypeSet kPowIntegers = kFloatForm | (kIntegerForm & types::kNumber);

// Form 1: one of the operands is an integer, the other too or a float32. Form 2: any other types.
constexpr Form pow_form(uint8_t number) {
  Form form = make_form(Op::kPow, number, {.parallel = true, .safe_distance = binary_distance});
  // Reads of float32 alone are counted as form 0 does them.
  if (number == 1) {
    form.accepts = [](const Step& step) {
      const bool floats = step.input(0).dtype() == DType::kFloat32 && pow_of_floats(step);
      return !floats && has(kPowIntegers, step.input(1).dtype());
    };
    form.run = run_pow_of_integers;
  } else {
    form.accepts = [](const Step& step) {
      return step.input(0).dtype() != DType::kFloat32 || !pow_of_floats(step);
    };
    form.run = run_pow_of_any;
  }
  return form;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

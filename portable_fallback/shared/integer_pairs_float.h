// Serves the forms of products of two inputs of 8 bits that float32 rounds: which steps they take,
// and a step as their kernels see it.
#pragma once

#include "core/step.h"
#include "portable_fallback/fast/integer_pairs_float.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_pair.h"
#include "portable_fallback/shared/integer_pairs.h"

namespace arenite {

// The form's types are those of 8 bits.
bool takes_float_pairs(const Step& step);
FloatPairs float_pairs(const Step& step);

template <void (&kMultiply)(const FloatPairs& by, const IntegerPairRow& row)>
struct FloatPairForm {
  static void multiply_row(const void* context, const ElementwiseRow& row) {
    kMultiply(*static_cast<const FloatPairs*>(context), pair_row(row));
  }
  static Status run(const Step& step, const Platform& platform) {
    const FloatPairs by = float_pairs(step);
    return run_elementwise(step, platform, {multiply_row, &by, 2, kWorkOfScaledPair});
  }
  static constexpr Form form(uint8_t number) {
    return make_form(Op::kQuantizedMul, number,
                     {.parallel = true,
                      .safe_distance = integer_pair_distance,
                      .accepts = takes_float_pairs,
                      .run = run});
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

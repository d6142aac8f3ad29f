// Serves the forms of products of two inputs of 8 bits: which steps they take, a step as their
// kernels see it, and their code.
#pragma once

#include <utility>

#include "core/step.h"
#include "portable_fallback/fast/integer_pairs.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/integer_pair.h"

namespace arenite {

// The form's types are those of 8 bits.
bool takes_integer_pairs(const Step& step);
IntegerPairs integer_pairs(const Step& step);

inline IntegerPairRow pair_row(const ElementwiseRow& row) {
  return {
      {row.inputs[0], row.inputs[1]}, row.y, {row.steps[0], row.steps[1]}, row.y_step, row.count};
}

// The form of a kernel that multiplies rows, kMultiply(by, row), by the numbers kRead(step).
template <auto kTakes, auto kRead, auto kMultiply>
struct PairForm {
  using Numbers = decltype(kRead(std::declval<const Step&>()));

  static void multiply_row(const void* context, const ElementwiseRow& row) {
    kMultiply(*static_cast<const Numbers*>(context), pair_row(row));
  }
  static Status run_pairs(const Step& step, const Platform& platform) {
    const Numbers by = kRead(step);
    return run_elementwise(step, platform, {multiply_row, &by, 2, kWorkOfScaledPair});
  }
  static constexpr Form form(uint8_t number) {
    return make_form(Op::kQuantizedMul, number,
                     {.parallel = true,
                      .safe_distance = integer_pair_distance,
                      .accepts = kTakes,
                      .run = run_pairs});
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

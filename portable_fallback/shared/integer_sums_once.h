// Serves the forms of sums of 8 bits that are rounded once, halves up or to even: which steps they
// take, and a step as their kernels see it.
#pragma once

#include "core/step.h"
#include "ops/attributes.h"
#include "portable_fallback/fast/integer_sums_once.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/integer_pair.h"

namespace arenite {

bool takes_once_sums(const Step& step, Rounding rounding);
// Of halves up or to even.
bool takes_exact_sums(const Step& step);
OnceSums once_sums(const Step& step);

// The form of a kernel of results of one rounding.
template <void (&kAdd)(const OnceSums& sums, const OnceSumRow& row), Rounding kRounding>
struct OnceSumForm {
  static bool takes(const Step& step) { return takes_once_sums(step, kRounding); }
  static void sum_row(const void* context, const ElementwiseRow& row) {
    kAdd(*static_cast<const OnceSums*>(context), {{row.inputs[0], row.inputs[1]},
                                                  row.y,
                                                  {row.steps[0], row.steps[1]},
                                                  row.y_step,
                                                  row.count});
  }
  static Status run_sum(const Step& step, const Platform& platform) {
    const OnceSums sums = once_sums(step);
    return run_elementwise(step, platform, {sum_row, &sums, 2, kWorkOfScaledPair});
  }
  static constexpr Form form(uint8_t number) {
    return make_form(Op::kQuantizedAdd, number,
                     {.parallel = true,
                      .safe_distance = integer_pair_distance,
                      .accepts = takes,
                      .run = run_sum});
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

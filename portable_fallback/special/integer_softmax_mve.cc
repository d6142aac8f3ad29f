// Softmax of 8-bit integers with Arm's MVE.
#include "portable_fallback/fast/integer_softmax_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_softmax.h"

namespace arenite {
namespace {

Status run_softmax(const Step& step, const Platform& platform) {
  return run_integer_softmax(step, platform, softmax_rows_mve);
}

}  // namespace

constexpr Form kQuantizedSoftmaxForm9 = make_form(Op::kQuantizedSoftmax, 9,
                                                  {.parallel = true,
                                                   .in_place = kAnyPlace,
                                                   .safe_distance = integer_softmax_distance,
                                                   .accepts = takes_integer_softmax,
                                                   .run = run_softmax});
ARENITE_FORM_CODE(QuantizedSoftmax, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

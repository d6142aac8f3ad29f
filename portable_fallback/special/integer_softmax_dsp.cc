// Softmax of 8-bit integers with Arm's DSP extension.
#include "portable_fallback/fast/integer_softmax_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_softmax.h"

namespace arenite {
namespace {

Status run_softmax(const Step& step, const Platform& platform) {
  return run_integer_softmax(step, platform, softmax_rows_dsp);
}

}  // namespace

constexpr Form kQuantizedSoftmaxForm8 = make_form(Op::kQuantizedSoftmax, 8,
                                                  {.parallel = true,
                                                   .in_place = kAnyPlace,
                                                   .safe_distance = integer_softmax_distance,
                                                   .accepts = takes_integer_softmax,
                                                   .run = run_softmax});
ARENITE_FORM_CODE(QuantizedSoftmax, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Floats to integers of 8 or 16 bits on CPUs with Arm's DSP extension.
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_quantize.h"

namespace arenite {

constexpr Form kQuantizeForm8 = make_form(Op::kQuantize, 8,
                                          {.parallel = true,
                                           .safe_distance = float_quantize_distance,
                                           .accepts = takes_float_quantize,
                                           .run = run_float_quantize});
ARENITE_FORM_CODE(Quantize, 8)

constexpr Form kQuantizeForm31 = make_form(Op::kQuantize, 31,
                                           {.parallel = true,
                                            .safe_distance = float_quantize_distance,
                                            .accepts = takes_float_quantize16,
                                            .run = run_float_quantize16});
ARENITE_FORM_CODE(Quantize, 31)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Floats to integers of 8 or 16 bits on CPUs with Arm's MVE.
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_quantize.h"

namespace arenite {

constexpr Form kQuantizeForm9 = make_form(Op::kQuantize, 9,
                                          {.parallel = true,
                                           .safe_distance = float_quantize_distance,
                                           .accepts = takes_float_quantize,
                                           .run = run_float_quantize});
ARENITE_FORM_CODE(Quantize, 9)

constexpr Form kQuantizeForm30 = make_form(Op::kQuantize, 30,
                                           {.parallel = true,
                                            .safe_distance = float_quantize_distance,
                                            .accepts = takes_float_quantize16,
                                            .run = run_float_quantize16});
ARENITE_FORM_CODE(Quantize, 30)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

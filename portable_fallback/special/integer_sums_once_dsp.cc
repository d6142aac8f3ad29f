// Sum and difference with Arm's DSP extension of numbers of 8 bits that are rounded once, as models
// of uint8 have them.
#include "portable_fallback/fast/integer_sums_once_dsp_kernel.h"
#include "portable_fallback/shared/integer_sums_once.h"

namespace arenite {

constexpr Form kQuantizedAddForm11 = OnceSumForm<add_sums_once_dsp, Rounding::kFloat32>::form(11);
ARENITE_FORM_CODE(QuantizedAdd, 11)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

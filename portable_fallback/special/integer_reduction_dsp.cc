// Sums and means of 8-bit integers along axes with Arm's DSP extension.
#include "portable_fallback/fast/integer_pool_dsp_kernel.h"
#include "portable_fallback/shared/integer_reduction.h"

namespace arenite {

constexpr Form kQuantizedSumForm8 = integer_reduction_form<sum_taps_dsp, 4>(8);
ARENITE_FORM_CODE(QuantizedSum, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

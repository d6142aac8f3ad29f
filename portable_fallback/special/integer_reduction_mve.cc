// Sums and means of 8-bit integers along axes with Arm's MVE.
#include "portable_fallback/fast/integer_pool_mve_kernel.h"
#include "portable_fallback/shared/integer_reduction.h"

namespace arenite {

constexpr Form kQuantizedSumForm9 = integer_reduction_form<sum_taps_mve, 16>(9);
ARENITE_FORM_CODE(QuantizedSum, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Average pool of 8-bit integers with Arm's MVE.
#include "portable_fallback/fast/integer_pool_mve_kernel.h"
#include "portable_fallback/shared/integer_pool.h"

namespace arenite {

constexpr Form kQuantizedAveragePoolForm9 = integer_pool_form<sum_taps_mve>(9);
ARENITE_FORM_CODE(QuantizedAveragePool, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

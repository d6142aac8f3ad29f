// Average pool and sums of 16-bit integers with Arm's MVE.
#include "portable_fallback/fast/int16_pool_mve_kernel.h"
#include "portable_fallback/shared/int16_pool.h"
#include "portable_fallback/shared/int16_reduction.h"

namespace arenite {

constexpr Form kQuantizedAveragePoolForm30 = int16_pool_form<sum_taps_int16_mve>(30);
ARENITE_FORM_CODE(QuantizedAveragePool, 30)
constexpr Form kQuantizedSumForm30 = int16_reduction_form<sum_taps_int16_mve>(30);
ARENITE_FORM_CODE(QuantizedSum, 30)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Average pool and sums of 16-bit integers on CPUs that add no vectors.
#include "portable_fallback/fast/int16_pool_scalar_kernel.h"
#include "portable_fallback/shared/int16_pool.h"
#include "portable_fallback/shared/int16_reduction.h"

namespace arenite {

constexpr Form kQuantizedAveragePoolForm40 = int16_pool_form<sum_taps_int16_scalar>(40);
ARENITE_FORM_CODE(QuantizedAveragePool, 40)
constexpr Form kQuantizedSumForm40 = int16_reduction_form<sum_taps_int16_scalar>(40);
ARENITE_FORM_CODE(QuantizedSum, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

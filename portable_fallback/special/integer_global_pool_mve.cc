// Average pool of 8-bit integers over all of an image with Arm's MVE.
#include "portable_fallback/fast/integer_pool_mve_kernel.h"
#include "portable_fallback/shared/integer_global_pool.h"

namespace arenite {

constexpr Form kQuantizedAveragePoolForm10 = GlobalPoolForm<sum_taps_mve, true>::form(10);
ARENITE_FORM_CODE(QuantizedAveragePool, 10)
constexpr Form kQuantizedAveragePoolForm13 = GlobalPoolForm<sum_taps_mve, false>::form(13);
ARENITE_FORM_CODE(QuantizedAveragePool, 13)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

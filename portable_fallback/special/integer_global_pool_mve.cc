// Average pool of 8-bit integers over all of an image with Arm's MVE.
#include "portable_fallback/fast/integer_pool_mve_kernel.h"
#include "portable_fallback/shared/integer_global_pool.h"

namespace arenite {

constexpr Form kQuantizedAveragePoolForm10 = global_pool_form<sum_taps_mve>(10);
ARENITE_FORM_CODE(QuantizedAveragePool, 10)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Average pool of 8-bit integers on CPUs that add no vectors.
#include "portable_fallback/fast/integer_pool_scalar_kernel.h"
#include "portable_fallback/shared/integer_pool.h"

namespace arenite {

constexpr Form kQuantizedAveragePoolForm20 = integer_pool_form<sum_taps_scalar>(20);
ARENITE_FORM_CODE(QuantizedAveragePool, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Max pool of 16-bit integers on CPUs that compare no vectors.
#include "portable_fallback/fast/int16_max_pool_scalar_kernel.h"
#include "portable_fallback/shared/int16_max_pool.h"

namespace arenite {

constexpr Form kMaxPoolForm32 = int16_max_pool_form<max_pool_int16_scalar>(32);
ARENITE_FORM_CODE(MaxPool, 32)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

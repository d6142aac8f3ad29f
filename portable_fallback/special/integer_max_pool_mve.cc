// Max pool of 8-bit integers with Arm's MVE.
#include "portable_fallback/fast/integer_max_pool_mve_kernel.h"
#include "portable_fallback/shared/integer_max_pool.h"

namespace arenite {

constexpr Form kMaxPoolForm9 = integer_max_pool_form<max_pool_mve>(9);
ARENITE_FORM_CODE(MaxPool, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

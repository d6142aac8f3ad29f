// Max pool of 16-bit integers with Arm's MVE.
#include "portable_fallback/fast/int16_max_pool_mve_kernel.h"
#include "portable_fallback/shared/int16_max_pool.h"

namespace arenite {

constexpr Form kMaxPoolForm30 = int16_max_pool_form<max_pool_int16_mve>(30);
ARENITE_FORM_CODE(MaxPool, 30)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

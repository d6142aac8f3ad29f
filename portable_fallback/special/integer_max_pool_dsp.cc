// Max pool of 8-bit integers with Arm's DSP extension.
#include "portable_fallback/fast/integer_max_pool_dsp_kernel.h"
#include "portable_fallback/shared/integer_max_pool.h"

namespace arenite {

constexpr Form kMaxPoolForm8 = integer_max_pool_form<max_pool_dsp>(8);
ARENITE_FORM_CODE(MaxPool, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

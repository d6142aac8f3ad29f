// Max pool of 16-bit integers with Arm's DSP extension.
#include "portable_fallback/fast/int16_max_pool_dsp_kernel.h"
#include "portable_fallback/shared/int16_max_pool.h"

namespace arenite {

constexpr Form kMaxPoolForm31 = int16_max_pool_form<max_pool_int16_dsp>(31);
ARENITE_FORM_CODE(MaxPool, 31)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Average pool of 8-bit integers over all of an image with Arm's DSP extension.
#include "portable_fallback/fast/integer_pool_dsp_kernel.h"
#include "portable_fallback/shared/integer_global_pool.h"

namespace arenite {

constexpr Form kQuantizedAveragePoolForm11 = global_pool_form<sum_taps_dsp>(11);
ARENITE_FORM_CODE(QuantizedAveragePool, 11)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

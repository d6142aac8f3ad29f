// Average pool of 8-bit integers with Arm's DSP extension.
#include "portable_fallback/fast/integer_pool_dsp_kernel.h"
#include "portable_fallback/shared/integer_pool.h"

namespace arenite {

constexpr Form kQuantizedAveragePoolForm8 = integer_pool_form<sum_taps_dsp>(8);
ARENITE_FORM_CODE(QuantizedAveragePool, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

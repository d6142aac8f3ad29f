// Average pool of 8-bit integers over all of an image with Arm's DSP extension.
#include "portable_fallback/fast/integer_pool_dsp_kernel.h"
#include "portable_fallback/shared/integer_global_pool.h"

namespace arenite {

constexpr Form kQuantizedAveragePoolForm11 = GlobalPoolForm<sum_taps_dsp, true>::form(11);
ARENITE_FORM_CODE(QuantizedAveragePool, 11)
constexpr Form kQuantizedAveragePoolForm12 = GlobalPoolForm<sum_taps_dsp, false>::form(12);
ARENITE_FORM_CODE(QuantizedAveragePool, 12)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Products of two inputs of 8 bits with Arm's DSP extension.
#include "portable_fallback/fast/integer_pairs_dsp_kernel.h"
#include "portable_fallback/shared/integer_pairs.h"

namespace arenite {

constexpr Form kQuantizedMulForm8 =
    PairForm<takes_integer_pairs, integer_pairs, multiply_pairs_dsp>::form(8);
ARENITE_FORM_CODE(QuantizedMul, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

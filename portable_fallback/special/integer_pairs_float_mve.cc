// Products of two inputs of 8 bits that float32 rounds, with Arm's MVE.
#include "portable_fallback/fast/integer_pairs_float_mve_kernel.h"
#include "portable_fallback/shared/integer_pairs.h"
#include "portable_fallback/shared/integer_pairs_float.h"

namespace arenite {

constexpr Form kQuantizedMulForm12 =
    PairForm<takes_float_pairs, float_pairs, multiply_pairs_float_mve>::form(12);
ARENITE_FORM_CODE(QuantizedMul, 12)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Products of two inputs of 8 bits with Arm's MVE.
#include "portable_fallback/fast/integer_pairs_mve_kernel.h"
#include "portable_fallback/shared/integer_pairs.h"

namespace arenite {

constexpr Form kQuantizedMulForm9 =
    PairForm<takes_integer_pairs, integer_pairs, multiply_pairs_mve>::form(9);
ARENITE_FORM_CODE(QuantizedMul, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

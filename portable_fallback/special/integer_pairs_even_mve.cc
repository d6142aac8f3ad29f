// Products of two inputs of 8 bits that are rounded once, halves to even, with Arm's MVE.
#include "portable_fallback/fast/integer_pairs_even_mve_kernel.h"
#include "portable_fallback/shared/integer_pairs.h"
#include "portable_fallback/shared/integer_pairs_even.h"

namespace arenite {

constexpr Form kQuantizedMulForm10 =
    PairForm<takes_even_pairs, even_pairs, multiply_pairs_even_mve>::form(10);
ARENITE_FORM_CODE(QuantizedMul, 10)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Multiplies integers of 8 bits, element by element, and rounds their products once, halves to
// even, with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_pairs_even.h"

namespace arenite {

void multiply_pairs_even_mve(const EvenPairs& by, const IntegerPairRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

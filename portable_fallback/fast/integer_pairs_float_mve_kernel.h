// Multiplies integers of 8 bits, element by element, and rounds their products in float32 with
// Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_pairs_float.h"

namespace arenite {

void multiply_pairs_float_mve(const FloatPairs& by, const IntegerPairRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

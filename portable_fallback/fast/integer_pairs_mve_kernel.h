// Multiplies integers of 8 bits, each of its own zero point, element by element with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_pairs.h"

namespace arenite {

void multiply_pairs_mve(const IntegerPairs& by, const IntegerPairRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

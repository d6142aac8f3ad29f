// Multiplies integers of 8 bits, each of its own zero point, element by element with Arm's DSP
// extension.
#pragma once

#include "portable_fallback/fast/integer_pairs.h"

namespace arenite {

void multiply_pairs_dsp(const IntegerPairs& by, const IntegerPairRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Multiplies rows of 16-bit integers of two inputs with Arm's MVE.
#pragma once

#include "portable_fallback/fast/int16_pairs.h"

namespace arenite {

// A row of any steps.
void multiply_int16_mve(const Int16Factor& by, const Int16PairRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

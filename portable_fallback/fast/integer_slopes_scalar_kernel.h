// Multiplies integers of 8 and 16 bits below zero by slopes, on CPUs without instructions for that.
#pragma once

#include "portable_fallback/fast/integer_slopes.h"

namespace arenite {

// Inputs are x and the slopes.
void multiply_slopes_scalar(const IntegerSlopes& by, const IntegerPairRow& row);
// The same of int16, rounded twice.
void multiply_int16_slopes_scalar(const IntegerSlopes& by, const IntegerPairRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Rescales rows of 16-bit integers of one input with Arm's MVE.
#pragma once

#include "portable_fallback/fast/int16_pairs.h"

namespace arenite {

// A row of any steps.
void rescale_int16_mve(const Int16Factor& by, Src<int16_t> x, Dst<int16_t> y, uint32_t count);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

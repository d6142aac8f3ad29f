// Finds the greatest elements of windows of 16-bit integers with Arm's DSP extension.
#pragma once

#include "portable_fallback/fast/int16_pool.h"

namespace arenite {

void max_pool_int16_dsp(const Int16MaxPoolRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

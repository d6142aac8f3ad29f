// Adds up the elements of windows of 16-bit integers with Arm's MVE.
#pragma once

#include "portable_fallback/fast/int16_pool.h"

namespace arenite {

// The sums of so many channels, which wrap.
void sum_taps_int16_mve(const Int16PoolTaps& taps, uint32_t channels, uint32_t* sums);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

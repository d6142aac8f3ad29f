// Adds up the elements of windows of 8-bit integers one by one.
#pragma once

#include "portable_fallback/fast/integer_pool.h"

namespace arenite {

// The sums of up to kPoolChannels channels.
void sum_taps_scalar(const PoolTaps& taps, uint32_t channels, int32_t* sums);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

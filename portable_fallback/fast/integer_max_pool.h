// Describes neighboring outputs of a max pool of 8-bit integers to its kernels.
#pragma once

#include "portable_fallback/fast/integer_pool.h"

namespace arenite {

// Each output reads all taps of up to kPoolChannels channels, then writes them, then takes the next
// channels. Without taps it is the least number of the type.
struct MaxPoolRun {
  PoolTaps taps;  // of the first output
  Dst<std::byte> y;
  uint32_t channels, outputs;
  size_t x_step, y_step;  // elements between neighboring outputs
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

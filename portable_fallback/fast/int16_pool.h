// Describes the elements of a window of 16-bit integers to kernels that add them up or compare
// them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"
#include "portable_fallback/fast/integer_pool.h"

namespace arenite {

// Channels that are compared at once: they are read, then written.
inline constexpr uint32_t kInt16PoolChannels = 8;

// Taps inside x; the channels of each are neighbors.
struct Int16PoolTaps {
  Src<int16_t> x;      // the first channel of the first tap
  uint32_t counts[3];  // depth, height, width
  size_t steps[3];     // elements between taps
};

// The sums of so many channels, which wrap.
using Int16TapSums = void(const Int16PoolTaps& taps, uint32_t channels, uint32_t* sums);

// Neighboring outputs of a max pool. Each reads all taps of up to kInt16PoolChannels channels, then
// writes them, then takes the next channels. Without taps it is the least number of the type.
struct Int16MaxPoolRun {
  Int16PoolTaps taps;  // of the first output
  Dst<int16_t> y;
  uint32_t channels, outputs;
  size_t x_step, y_step;  // elements between neighboring outputs
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

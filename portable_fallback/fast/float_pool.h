// Describes the neighboring outputs of a line that kernels of pools of floats are given, whose
// windows have the same taps inside of x, as plain pointers and numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

inline constexpr uint32_t kFloatPoolChannels = 32;  // that are read before any of them is written

// Each output reads all taps of up to kFloatPoolChannels channels, then writes them, then takes the
// next channels. Taps are taken in order, the innermost axis fastest.
struct FloatPoolRun {
  Src<float> x;  // the first channel of the first output's first tap; neighbors are side by side
  Dst<float> y;
  uint32_t counts[3];  // of taps: depth, height, width
  size_t steps[3];     // elements between taps
  uint32_t channels, outputs;
  size_t x_step, y_step;  // elements between neighboring outputs
  float divisor;          // of an average
};

using FloatPoolKernel = void (*)(const FloatPoolRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Describes the elements of a window to kernels that add them up, of up to 16 channels at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

inline constexpr uint32_t kPoolChannels = 16;
inline constexpr uint32_t kPoolTapsMax = 255;  // whose sums are 16 bits

// Taps inside x, at most kPoolTapsMax; the channels of each are neighbors.
struct PoolTaps {
  Src<std::byte> x;    // the first channel of the first tap
  uint32_t counts[3];  // depth, height, width
  size_t steps[3];     // elements between taps
  bool is_unsigned;    // uint8, else int8
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

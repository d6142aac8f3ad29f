// Describes the elements of a window to kernels that add them up or compare them, of up to 16
// channels at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

inline constexpr uint32_t kPoolChannels = 16;
inline constexpr uint32_t kPoolTapsMax = 255;  // whose sums are 16 bits

// Taps inside x, at most kPoolTapsMax where they are added up; the channels of each are neighbors.
struct PoolTaps {
  Src<std::byte> x;    // the first channel of the first tap
  uint32_t counts[3];  // depth, height, width
  size_t steps[3];     // elements between taps
  bool is_unsigned;    // uint8, else int8
};

namespace {

// Calls add(tap) for each tap, of the channels from x on.
template <typename Taps, typename From, typename Add>
inline void for_each_tap(const Taps& taps, From x, const Add& add) {
  const size_t step = taps.steps[2];
  for (uint32_t d = taps.counts[0]; d != 0; --d, x += taps.steps[0]) {
    From line = x;
    for (uint32_t h = taps.counts[1]; h != 0; --h, line += taps.steps[1]) {
      From at = line;
      for (uint32_t w = taps.counts[2]; w != 0; --w, at += step) add(at);
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

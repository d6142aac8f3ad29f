// Finds the taps of a window, as kernels of pools are given them.
#pragma once

#include "portable_fallback/shared/pool.h"

namespace arenite {

// T: elements. PoolTaps: a kernel's, of which x, the first channel, counts and steps are set.
template <typename T, typename PoolTaps>
PoolTaps taps_of_window(const Pool& pool, const PoolWindow& at) {
  PoolTaps taps;
  size_t offset = at.x;
  uint32_t count = 1;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const Window& window = pool.windows[axis];
    const uint32_t stride = pool.x.strides[2 + axis];
    taps.counts[axis] = at.taps[axis].end - at.taps[axis].begin;
    taps.steps[axis] = size_t{window.dilation} * stride;
    count *= taps.counts[axis];
    if (taps.counts[axis] == 0) continue;
    const auto first = at.start[axis] + static_cast<int32_t>(at.taps[axis].begin * window.dilation);
    offset += static_cast<size_t>(first) * stride;
  }
  taps.x = pool.x.read<T>() + (count == 0 ? 0 : offset);
  return taps;
}

// Of the taps found.
inline uint32_t tap_count(const PoolWindow& at) {
  uint32_t count = 1;
  for (const Taps& taps : at.taps) count *= taps.end - taps.begin;
  return count;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

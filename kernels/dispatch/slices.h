// Into how many slices sums are cut where there are few of them.
#pragma once

#include <cstdint>

namespace arenite {

inline constexpr uint32_t kSlicesLogMax = 5;
// Fewer invocations leave a large GPU idle.
inline constexpr uint64_t kFewInvocations = 1u << 15;
// An invocation has so many loads of four channels at least: fewer are not worth one.
inline constexpr uint64_t kLoadsMin = 4;

// The logarithm of the invocations that share a tile of sums, of so many tiles: each has some of
// the `loads` of each of `taps` runs, `loads_min` in all at least.
constexpr uint32_t choose_slices(uint64_t tiles, uint64_t loads, uint64_t taps,
                                 uint64_t loads_min = kLoadsMin) {
  uint32_t log = 0;
  while (log < kSlicesLogMax && tiles << log < kFewInvocations && loads >> (log + 1) != 0 &&
         (loads >> (log + 1)) * taps >= loads_min) {
    ++log;
  }
  return log;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

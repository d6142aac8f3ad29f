// Into how many slices sums are cut where there are few of them.
#pragma once

#include <cstdint>

namespace arenite {

inline constexpr uint32_t kSlicesLogMax = 5;
// Fewer invocations leave a large GPU idle.
inline constexpr uint64_t kFewInvocations = 1u << 15;
// So many are worth having where each would have many loads, one behind another: on an H200 three
// 3 x 3 convolutions of 128 channels and 28 x 28 pixels take 67 us with 100,352 and 82 with 50,176.
inline constexpr uint64_t kManyInvocations = 1u << 16;
inline constexpr uint64_t kManyLoads = 24;
// And where these share a tile: a pointwise convolution of 64 to 256 channels and 56 x 56 pixels
// takes 12 us with 100,352 invocations and 22 with 50,176, one of 1024 to 256 channels and 14 x 14
// pixels 13 us in 16 slices and 15 in 32.
inline constexpr uint32_t kManySlicesLog = 4;
// An invocation has so many loads of four channels at least: fewer are not worth one.
inline constexpr uint64_t kLoadsMin = 2;

// The logarithm of the invocations that share a tile of sums, of so many tiles: each has some of
// the `loads` of each of `taps` runs, `loads_min` in all at least.
constexpr uint32_t choose_slices(uint64_t tiles, uint64_t loads, uint64_t taps,
                                 uint64_t loads_min = kLoadsMin) {
  const auto is_worth_more = [=](uint32_t log) {
    const bool many = (loads >> log) * taps > kManyLoads || log < kManySlicesLog;
    return tiles << log < (many ? kManyInvocations : kFewInvocations);
  };
  uint32_t log = 0;
  while (log < kSlicesLogMax && is_worth_more(log) && loads >> (log + 1) != 0 &&
         (loads >> (log + 1)) * taps >= loads_min) {
    ++log;
  }
  return log;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

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
// An invocation has so many loads of four channels at least: fewer are not worth one.
inline constexpr uint64_t kLoadsMin = 2;

// The logarithm of the invocations that share a tile of sums, of so many tiles: each has some of
// the `loads` of each of `taps` runs, `loads_min` in all at least.
constexpr uint32_t choose_slices(uint64_t tiles, uint64_t loads, uint64_t taps,
                                 uint64_t loads_min = kLoadsMin) {
  const auto is_worth_more = [=](uint32_t log) {
    const uint64_t enough = (loads >> log) * taps > kManyLoads ? kManyInvocations : kFewInvocations;
    return tiles << log < enough;
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

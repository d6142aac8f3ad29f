// Statistics of repeated timings.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace arenite::tools {

// The middle one; between two, their mean. `times` is not empty.
inline double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const size_t half = times.size() / 2;
  return times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
}

// The least that at least 95 of 100 do not exceed. `times` is not empty.
inline double percentile_95(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto rank = static_cast<size_t>(std::ceil(0.95 * static_cast<double>(times.size())));
  return times[rank - 1];
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

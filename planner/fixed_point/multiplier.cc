// Splits real factors into a fraction of 31 bits and a power of two.
#include "planner/fixed_point/multiplier.h"

#include <cmath>

namespace arenite::planner {

Multiplier quantized_multiplier(double factor) {
  constexpr int32_t kShiftLeast = -31;
  constexpr int64_t kOne = int64_t{1} << 31;
  int shift = 0;
  const double fraction = std::frexp(factor, &shift);  // 0, or in [1/2, 1)
  int64_t multiplier = std::llround(fraction * static_cast<double>(kOne));
  if (multiplier == kOne) {
    multiplier /= 2;
    ++shift;
  }
  if (shift < kShiftLeast || multiplier == 0) return {};
  return {static_cast<int32_t>(multiplier), shift};
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

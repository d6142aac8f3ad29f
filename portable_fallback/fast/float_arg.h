// Describes searches for the best of some floats to the kernels that make them, as plain pointers
// and numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

inline constexpr uint32_t kFloatArgs = 32;  // searches side by side, at most

// Element k of search s is x[s * x_search + k * x_step]. A NaN is better than any number.
struct FloatArgRun {
  Src<float> x;
  ptrdiff_t x_search, x_step;
  uint32_t searches, count;
  bool least;  // the least is the best, else the greatest
  bool last;   // of equals the last is the best, else the first
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

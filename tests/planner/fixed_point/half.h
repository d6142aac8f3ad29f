// The multiplier of one half.
#pragma once

#include <cstdint>

namespace arenite::planner {

inline constexpr int32_t kHalf = 1 << 30;

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Real factors as steps hold them: m * 2^(shift - 31), m of 31 bits.
#pragma once

#include <cstdint>

namespace arenite::planner {

struct Multiplier {
  int32_t multiplier = 0, shift = 0;

  bool operator==(const Multiplier&) const = default;
};

// The nearest to a factor that is finite and not negative; halves away from zero. Factors below
// 2^-32, with which every product of 32 bits would be 0, become 0.
Multiplier quantized_multiplier(double factor);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// The work of computing an operator's results, by the rule of its contract.
#pragma once

#include <cstdint>
#include <vector>

#include "core/contract.h"

namespace arenite::planner {

struct WorkQuestion {
  Work rule = Work::kOne;
  std::vector<uint32_t> x, w;  // dims of inputs 0 and 1, empty where left out
  uint64_t results = 1;        // elements of output 0
  std::vector<uint32_t> attributes;
};

// Elementary operations for each element of output 0: at least 1, at most 2^31.
uint64_t operations_each(const WorkQuestion& question);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Which buffers of a plan have bytes in common on purpose, and how many.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/memory/problem.h"

namespace arenite::memory {

enum class CommonWhy : uint8_t {
  kOverInput,  // an output over bytes of an input of its step, which dies there
  kPart,       // a view or a part, which lies where it is tied to
};

// Two buffers of one memory that hold data at one step and have bytes in common.
struct CommonBytes {
  uint32_t owner = 0;   // the dying input; what the part is tied to, in the end
  uint32_t guest = 0;   // the output; the part
  uint64_t offset = 0;  // of the bytes in their memory
  uint64_t bytes = 0;
  CommonWhy why = CommonWhy::kOverInput;
};

// First what overlaps permit, in the problem's order, then parts in the buffers' order. `solution`
// must be one that `verify` accepts, ends of memories apart.
std::vector<CommonBytes> common_bytes(const Problem& problem, const Solution& solution);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

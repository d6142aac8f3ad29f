// Moving elements of any type from one strided place to another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/platform.h"
#include "portable_fallback/loop.h"

namespace arenite {

// Elements of 1, 2, 4 or 8 bytes: to[operand 0 of the loop] = from[operand 1].
struct Move {
  std::byte* to;
  const std::byte* from;
  uint32_t element_bytes;
  NestedLoop loop;
};

// Sorts and merges the loop, then moves everything. The loop must have at least one iteration.
void move_elements(const Platform& platform, Move& move);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

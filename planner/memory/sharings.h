// Finds which rigid items may share bytes, from what is permitted to the buffers in them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/items.h"
#include "planner/memory/problem.h"

namespace arenite::memory {

// Two items that may share bytes at the one step at which both live, where
//   offset(input) >= offset(output) + lead_bytes
struct Sharing {
  uint32_t input = 0;  // items; the input dies at the step at which the output is born
  uint32_t output = 0;
  int64_t lead_bytes = 0;
};

// Sorted by output, then input. Items may share only if at that step every member of the one has
// permission for every member of the other: the lead is the largest that any pair asks for.
std::vector<Sharing> find_sharings(const Problem& problem, std::span<const Anchor> anchors,
                                   std::span<const Item> items);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// The bytes that a step moves where nothing watches its accesses, as on a GPU.
#pragma once

#include <string>
#include <vector>

#include "core/step.h"
#include "tools/simulate/simulate.h"

namespace arenite::tools {

// What memories are called: that of each arena of the variant, and of constants.
struct MemoryNames {
  std::vector<std::string> arenas;
  std::string constants;
};

// Each element of the inputs read once and each of the outputs written once, by memory. An input
// that is two operands is read once; scratch is not counted.
std::vector<SimulatedMoves> extents_of(const Step& step, const MemoryNames& names);

// Adds to what was moved in a memory, unless both are 0.
void add_moves(std::vector<SimulatedMoves>& all, const SimulatedMoves& moved);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

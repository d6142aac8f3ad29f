// The bytes that a step moves where nothing watches its accesses, as on a GPU.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/instance.h"
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

// After the steps of a run, each state of the method takes what its output holds. Names are those
// of the variant's arenas.
std::vector<SimulatedMoves> moves_of_states(const Instance& instance, uint32_t method,
                                            std::span<const std::string> arenas);

// Adds to what was moved in a memory, unless both are 0.
void add_moves(std::vector<SimulatedMoves>& all, const SimulatedMoves& moved);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

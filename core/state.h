// States: inputs that hold, at the start of each run, what an output held at the end of the one
// before. A program has them linked by LoadOptions::states; without, it is refused.
#pragma once

#include <cstdint>

#include "core/program.h"

namespace arenite {

// The input of a check, a reset or a commit: one variant of a program, bound to memory.
struct StateTask {
  const Program* program = nullptr;
  const format::VariantRecord* variant = nullptr;
  uint32_t method = 0;
  const Bindings* bindings = nullptr;
  bool grows = false;  // dims may follow from symbols; GrowthFunctions::check has compared them
};

struct GrowthFunctions;

struct StateFunctions {
  // Whether the states of the method make sense: each names an input, alone, and an output of the
  // same type and dims; the input lies in an arena of kind state, which holds nothing but such
  // inputs; the initial constant has its bytes and can be read. The inputs and outputs must have
  // been verified. Errors: kBadIndex, kBadValue (value = the state's record, or the value that is
  // none).
  Status (*check)(const StateTask& task);
  // Gives each state the bytes it has before the first run.
  void (*reset)(const StateTask& task);
  // Gives each state what its output holds.
  void (*commit)(const StateTask& task);
  const GrowthFunctions* growth;  // null: programs whose states grow are refused
};

// Constants where they are defined; the second for states whose dims may follow from symbols too
// (core/growth.h).
// NOLINTBEGIN(bugprone-dynamic-static-initializers)
extern const StateFunctions kStates;
extern const StateFunctions kGrowingStates;
// NOLINTEND(bugprone-dynamic-static-initializers)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// States: inputs that hold, at the start of each run, what an output held at the end of the one
// before. A program has them linked by LoadOptions::states; without, it is refused.
#pragma once

#include <cstdint>

#include "core/program.h"

namespace arenite {

class Instance;
struct GrowthFunctions;

// One variant of a program, bound to memory.
struct StateTask {
  const Program* program = nullptr;
  const format::VariantRecord* variant = nullptr;
  uint32_t method = 0;
  const Bindings* bindings = nullptr;
};

// Whether a state of the method names an input of it, and an output or none.
inline bool names_io(const format::StateRecord& state, const format::MethodRecord& method) {
  return state.input < method.input_count &&
         (state.output == kNoIndex || state.output < method.output_count);
}

// Whether the states of the method make sense: each names an input, alone, and an output of the
// same type and dims, or none; the input lies in an arena of kind state, which holds nothing but
// such inputs; the initial constant has its bytes and can be read. The inputs and outputs must have
// been verified. `grows`: dims may follow from symbols, and GrowthFunctions::check has compared
// them. Errors: kBadIndex, kBadValue (value = the state's record, or the value that is none).
Status check_states(const StateTask& task, bool grows);
// Gives each state the bytes it has before the first run.
void fill_states(const StateTask& task);
// Gives each state what its output holds.
void take_states(const StateTask& task);

struct StateFunctions {
  // For load: checks the states, and unless their memory is to be kept fills them. Errors:
  // check_states's, kUnsupported (states that grow cannot be kept so).
  Status (*start)(Instance& instance, bool keep);
  // Gives each state what it holds before the first run.
  Status (*reset)(Instance& instance);
  // At the end of a run: gives each state what its output holds.
  void (*commit)(Instance& instance);
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

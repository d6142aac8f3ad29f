// What a step did that it must not do, with the names of the model and the board.
#pragma once

#include <cstdint>
#include <string>

#include "tools/run/runner.h"
#include "tools/simulate/watch.h"

namespace arenite::tools {

struct Fault {
  FaultKind kind = {};
  uint32_t step = 0;
  std::string step_name;                        // "step 12 (Conv_3)"
  std::string form;                             // "Conv.float32"
  std::string operand;                          // "input 0"; empty where nobody knows which
  std::string operand_name;                     // in the model
  uint64_t operand_begin = 0, operand_end = 0;  // its bytes in the memory
  std::string memory;
  int64_t byte = 0;  // of the memory: the first that is wrong; below 0 before its begin
  uint64_t memory_bytes = 0;
  bool writes = false;
  std::string owner;  // what lives there: a value's name; empty: nothing
};

// "outside", "read_only", and so on.
const char* name_of(FaultKind kind);
std::string describe(const Fault& fault);

// A simulated run that did what a board would not notice.
struct SimulatedFault : RunError {
  SimulatedFault(const std::string& program, const std::string& board, Fault what)
      : RunError(program + ": simulated on " + board + ": " + describe(what)),
        fault(std::move(what)) {}
  Fault fault;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

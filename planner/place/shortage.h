// Shortage: the form in which plans and reports say that a memory is too small.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace arenite::planner {

struct ShortTensor {
  std::string name;
  std::vector<uint32_t> shape;  // logical dims; of scratch, its bytes
  uint64_t bytes = 0;
};

// One memory of one board that is too small. Figures are of the plan as it would be if that memory
// had no end.
struct Shortage {
  std::string board, memory;
  bool holds_program = false;  // a program memory: the tensors are the largest constants
  uint64_t memory_bytes = 0;
  uint64_t needed_bytes = 0;
  uint64_t short_bytes = 0;  // needed_bytes - memory_bytes
  // The step at which most is live there, and what people know it by; none of a program memory.
  std::optional<uint32_t> step;
  std::string step_name;
  std::vector<ShortTensor> tensors;  // what lives there at that step, largest first
  uint64_t floor_bytes = 0;          // proved: below this size of the memory no plan fits
  bool impossible = false;           // that is more than it has
  // The least size of this memory, the others as they are, at which a plan was found, if any was,
  // and whether none is possible below.
  uint64_t least_bytes = 0;
  bool least_is_known = true;
  bool least_is_proved = false;
  std::string text;                 // the error message: what, where, how much
  std::vector<std::string> advice;  // what would help, a sentence each
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

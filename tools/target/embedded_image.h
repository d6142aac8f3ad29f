// Builds the image of one program for a board: what firmware around the program would be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/board/board.h"
#include "tools/run/program_file.h"
#include "tools/target/launch.h"

namespace arenite::tools {

// What the image consists of, by its link map.
struct ImageParts {
  struct Part {
    std::string name;
    uint64_t bytes = 0;
  };
  // A function and what lies below it, on the deepest chain of calls below load and run.
  struct Call {
    std::string function;
    uint64_t bytes = 0;
  };

  std::vector<Part> flash;  // program, kernels, contracts, runtime, tables, startup, libc, data
  std::vector<Part> ram;    // arenas, instance, data, bss, lent; without the stack
  uint64_t board_ram_bytes = 0;  // variables of the board's start-up
  uint64_t stack_bound_bytes = 0;
  std::vector<Call> stack_chain;

  uint64_t code_bytes() const;  // of flash beside the program
  uint64_t ram_bytes() const;
};

struct EmbeddedImage {
  TargetImage image;
  ImageParts parts;
};

// The image lies in the board's build tree, which has the compiler's words and the libraries, and
// is not built again for the same program and libraries. Throws InputError where the program has
// no such image, RunError where there is no tree or building fails.
EmbeddedImage embedded_image(const planner::Board& board, const ProgramFile& file,
                             bool without_verifier);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

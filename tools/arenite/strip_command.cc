// `arenite strip`: keeps one board's variants of a program.
#include "planner/strip.h"

#include <cstdio>

#include "planner/graph.h"
#include "tools/arenite/commands.h"
#include "tools/io/tensor.h"
#include "tools/run/program_file.h"

namespace arenite::tools {

int run_strip(const StripCommand& command) {
  try {
    const std::vector<std::byte> file = read_file(command.program);
    // Else the new file would give damaged constants a checksum that holds.
    const ProgramFile intact(file, command.program);
    const std::vector<std::byte> stripped = planner::strip(file, command.board);
    write_file(command.output, stripped);
    std::printf("%s: %zu bytes of %zu\n", command.output.c_str(), stripped.size(), file.size());
    return kDone;
  } catch (const planner::InputError& error) {
    throw InputError(command.program + ": " + error.what());
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// `arenite inspect`: shows everything a program file says.
#include "planner/inspect.h"

#include <cstdio>

#include "planner/graph.h"
#include "tools/arenite/commands.h"
#include "tools/io/tensor.h"

namespace arenite::tools {

int run_inspect(const InspectCommand& command) {
  try {
    const planner::ProgramInfo info = planner::inspect(read_file(command.program));
    const std::string text = command.json ? planner::to_json(info) + "\n" : planner::to_text(info);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return kDone;
  } catch (const planner::InputError& error) {
    throw InputError(command.program + ": " + error.what());
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

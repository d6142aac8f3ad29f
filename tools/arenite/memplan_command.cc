// `arenite memplan`: plans a problem given as CSV.
#include <cstdio>

#include "planner/memory/memplan.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/json.h"

namespace arenite::tools {

int run_memplan_command(const MemplanCommand& command) {
  memory::MemplanOptions options;
  options.problem_path = command.problem;
  options.algorithm = command.algorithm;
  options.capacity_bytes = command.capacity;
  if (!command.memories.empty()) options.memories_path = command.memories;
  options.time_limit_seconds = command.time_limit;
  options.seed = command.seed;
  if (!command.constraints.empty()) options.constraints_path = command.constraints;
  if (!command.output.empty()) options.output_path = command.output;
  const memory::MemplanResult result = memory::run_memplan(options);
  const bool picture = command.report == "svg" || command.report == "html";
  if (command.json || command.report == "json") {
    std::printf("%s\n", to_json(result, command.report == "json").c_str());
  } else if (picture && result.does_not_fit) {
    std::fprintf(stderr, "arenite: %s", memory::to_text(result).c_str());
  } else if (picture) {
    std::printf(
        "%s", (command.report == "svg" ? memory::to_svg(result) : memory::to_html(result)).c_str());
  } else {
    std::printf("%s", memory::to_text(result).c_str());
  }
  return result.does_not_fit ? kFailed : kDone;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

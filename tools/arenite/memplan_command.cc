// `arenite memplan`: plans a problem given as CSV.
#include "planner/memory/memplan.h"

#include "planner/picture/pictures.h"
#include "support/file.h"
#include "support/output.h"
#include "support/progress.h"
#include "support/suggest.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/json.h"

namespace arenite::tools {
namespace {

struct MemplanCommand {
  std::string problem;
  std::string algorithm{memory::name_of(memory::kDefaultAlgorithm)};
  std::optional<uint64_t> capacity;
  std::string memories;
  std::optional<double> time_limit;
  uint64_t seed = memory::PackLimits{}.seed;
  std::string constraints;
  std::string report;
  std::string output;
  bool json = false;
};

memory::MemplanOptions options_of(const MemplanCommand& command) {
  memory::MemplanOptions options;
  options.problem_path = command.problem;
  options.algorithm = command.algorithm;
  options.capacity_bytes = command.capacity;
  if (!command.memories.empty()) options.memories_path = command.memories;
  options.time_limit_seconds = command.time_limit;
  options.seed = command.seed;
  if (!command.constraints.empty()) options.constraints_path = command.constraints;
  return options;
}

void print_result(const MemplanCommand& command, const memory::MemplanResult& result) {
  const bool picture = command.report == "svg" || command.report == "html";
  if (command.json || command.report == "json") {
    print_text(to_json(result, command.report == "json") + "\n");
  } else if (picture) {
    print_text(command.report == "svg" ? picture::to_svg(result) : picture::to_html(result));
    if (result.does_not_fit) {
      print_error("arenite", "does not fit: " + memory::message(*result.does_not_fit));
    }
  } else {
    print_text(memory::to_text(result));
  }
}

memory::MemplanResult plan_problem(const memory::MemplanOptions& options) {
  const Progress progress("memplan");
  return memory::run_memplan(options);
}

int run_memplan_command(const MemplanCommand& command) {
  check_output(command.output, command.json, command.report, true);
  const memory::MemplanResult result = plan_problem(options_of(command));
  for (const std::string& column : result.unknown_columns) {
    print_error("arenite", "note: " + command.problem + ": column '" + column +
                               "' is not known; it is carried along");
  }
  if (!command.output.empty() && !result.does_not_fit) {
    write_file(command.output, result.solution_csv);
    if (is_standard_output(command.output)) return kDone;
  }
  print_result(command, result);
  return result.does_not_fit ? kFailed : kDone;
}

std::function<int()> declare(Options& options) {
  const auto memplan = std::make_shared<MemplanCommand>();
  const auto all = memory::algorithm_names();
  const std::vector<std::string> algorithms(all.begin(), all.end());
  options.add("PROBLEM", memplan->problem, "Buffers with lifetimes and sizes, CSV").required();
  options.add("--algorithm", memplan->algorithm, "How buffers are placed: " + listed(algorithms))
      .value_name("NAME")
      .one_of(algorithms)
      .shows_default();
  options
      .add("--capacity", memplan->capacity,
           "Bytes of the one memory: the first plan that fits will do (default: as few bytes as "
           "possible)")
      .value_name("BYTES");
  options.add("--memories", memplan->memories, "Memories, fastest first").value_name("MEM.json");
  options
      .add("--time-limit", memplan->time_limit,
           "Seconds of processor time for search (default: steps by the problem's size, the same "
           "on every machine)")
      .value_name("S");
  options.add("--seed", memplan->seed, "Of the search's random choices").shows_default();
  options
      .add("--constraints", memplan->constraints,
           "Buffers to bar from memories, to pin or to tie together (docs/constraints.md)")
      .value_name("FILE");
  add_output(options, memplan->output, "Write offsets here; - is standard output")
      .value_name("SOLUTION.csv");
  add_report(options, memplan->report);
  add_json(options, memplan->json);
  return [memplan] { return run_memplan_command(*memplan); };
}

}  // namespace

const Command kMemplanCommand = {
    .name = "memplan",
    .summary = "Plan buffers into memories",
    .examples =
        "arenite memplan problem.csv -o solution.csv\n"
        "arenite memplan problem.csv --capacity 65536 --report html > plan.html\n"
        "arenite memplan problem.csv --memories board.json --json",
    .declare = declare,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// `arenite memplan`: plans a problem given as CSV, or checks a solution of one.
#include "planner/memplan/memplan.h"

#include "planner/report/picture/pictures.h"
#include "support/file.h"
#include "support/output.h"
#include "support/parse_bytes.h"
#include "support/printable.h"
#include "support/progress.h"
#include "support/suggest.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/errors.h"
#include "tools/arenite/interrupt.h"
#include "tools/arenite/json.h"
#include "tools/run/sources.h"

namespace arenite::tools {
namespace {

struct MemplanCommand {
  std::string problem;
  std::string algorithm{memory::name_of(memory::kDefaultAlgorithm)};
  std::string capacity;  // bytes, with a unit or without; empty: no limit
  std::string memories;
  std::optional<double> time_limit;
  uint64_t seed = memory::PackLimits{}.seed;
  std::string constraints;
  std::string check;  // a solution; empty: plan
  std::string report;
  std::string output;
  bool json = false;
};

memory::MemplanOptions options_of(const MemplanCommand& command) {
  memory::MemplanOptions options;
  options.problem_path = command.problem;
  options.algorithm = command.algorithm;
  if (!command.capacity.empty()) {
    options.capacity_bytes = parse_bytes(command.capacity).bytes;
  }
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
    if (!result.verdict || result.verdict->drawable) {
      print_text(command.report == "svg" ? picture::to_svg(result) : picture::to_html(result));
    }
    if (result.does_not_fit) {
      print_error("arenite", "does not fit: " + memory::message(*result.does_not_fit));
    }
    if (result.verdict) print_error("arenite", verdict_text(result));
  } else {
    print_text(memory::to_text(result));
  }
}

memory::MemplanResult plan_problem(memory::MemplanOptions options) {
  Progress progress("memplan");
  options.progress = progress.hook();
  options.before_planning = catch_interrupt;
  options.interrupted = &interrupted();
  return memory::run_memplan(options);
}

memory::MemplanResult check_plan(const MemplanCommand& command) {
  const Progress progress("memplan: checking");
  return memory::check_solution(options_of(command), command.check);
}

void print_notes(const MemplanCommand& command, const memory::MemplanResult& result) {
  if (result.verdict) {
    for (const std::string& note : result.verdict->notes) print_error("arenite", "note: " + note);
    return;
  }
  for (const std::string& column : result.unknown_columns) {
    print_error("arenite", "note: " + command.problem + ": column " + quote(column) +
                               " is not known; it is carried along");
  }
  if (result.stop == memory::Stop::kInterrupt) {
    print_error("arenite", "note: interrupted; this is the best plan found so far");
  }
}

int status_of(const memory::MemplanResult& result) {
  if (result.does_not_fit || (result.verdict && !result.verdict->valid)) return kFailed;
  return result.stop == memory::Stop::kInterrupt ? kInterruptedStatus : kDone;
}

int run_memplan_command(const MemplanCommand& command) {
  if (command.problem.empty() && command.check.empty()) {
    throw UsageError("PROBLEM is required");
  }
  check_output(command.output, command.json, command.report, true);
  Sources sources;
  for (const std::string& one :
       {command.problem, command.check, command.memories, command.constraints}) {
    sources.add(one);
  }
  if (!command.output.empty()) sources.check("-o", command.output);
  const memory::MemplanResult result =
      command.check.empty() ? plan_problem(options_of(command)) : check_plan(command);
  print_notes(command, result);
  if (!command.output.empty() && !result.does_not_fit) {
    write_file(command.output, result.solution_csv);
    if (is_standard_output(command.output)) return status_of(result);
  }
  print_result(command, result);
  return status_of(result);
}

std::function<int()> declare_memplan(Options& options) {
  const auto memplan = std::make_shared<MemplanCommand>();
  const auto all = memory::algorithm_names();
  const std::vector<std::string> algorithms(all.begin(), all.end());
  options.add("PROBLEM", memplan->problem,
              "Buffers with lifetimes and sizes, CSV (docs/memplan.md); - is standard input");
  const Option algorithm =
      options
          .add("--algorithm", memplan->algorithm, "How buffers are placed: " + listed(algorithms))
          .value_name("NAME")
          .one_of(algorithms)
          .shows_default();
  options
      .add("--capacity", memplan->capacity,
           "Bytes of the one memory, 65536 or 64K: the first plan that fits will do (default: as "
           "few bytes as possible)")
      .value_name("BYTES")
      .check([](const std::string& text) {
        const std::string problem = parse_bytes(text).problem;
        return problem.empty() ? "" : problem + ", found " + quote(text);
      });
  options.add("--memories", memplan->memories, "Memories, fastest first").value_name("MEM.json");
  const Option time_limit =
      options
          .add(
              "--time-limit", memplan->time_limit,
              "Seconds from opening the problem to its solution, with the best plan found by then "
              "(default: steps by the problem's size, the same plan on every machine). Ctrl-C ends "
              "planning early too")
          .value_name("S");
  const Option seed =
      options.add("--seed", memplan->seed, "Of the search's random choices").shows_default();
  options
      .add("--constraints", memplan->constraints,
           "Buffers to bar from memories, to pin or to tie together (docs/constraints.md)")
      .value_name("FILE");
  const Option output =
      add_output(options, memplan->output, "Write offsets here; - is standard output")
          .value_name("SOLUTION.csv");
  options
      .add("--check", memplan->check,
           "Plan nothing; check this solution, whoever made it, and with --report draw it. Without "
           "PROBLEM it holds the problem too")
      .value_name("SOLUTION.csv")
      .excludes(algorithm)
      .excludes(time_limit)
      .excludes(seed)
      .excludes(output);
  add_report(options, memplan->report);
  add_json(options, memplan->json);
  return [memplan] { return run_memplan_command(*memplan); };
}

}  // namespace

const Command kMemplanCommand = {
    .name = "memplan",
    .summary = "Plan buffers into memories, or check such a plan",
    .examples =
        "arenite memplan problem.csv -o solution.csv\n"
        "arenite memplan problem.csv --capacity 65536 --report html > plan.html\n"
        "arenite memplan problem.csv --memories board.json --json\n"
        "arenite memplan problem.csv --check solution.csv --report html > solution.html",
    .declare = declare_memplan,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

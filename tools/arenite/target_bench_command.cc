// `arenite target bench`: what loading and running takes on a board.
#include <algorithm>

#include "support/output.h"
#include "support/printable.h"
#include "support/progress.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/input_files.h"
#include "tools/arenite/json.h"
#include "tools/arenite/program_or_model.h"
#include "tools/arenite/step_costs.h"
#include "tools/arenite/target_board.h"
#include "tools/compare/made_up_inputs.h"
#include "tools/run/method_choice.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

struct TargetBenchCommand {
  std::string program;
  BoardArguments board;
  ModelOptions model;
  InputArguments inputs;
  std::string method;
  uint32_t repeat = 3;
  bool profile = false;
  bool json = false;
};

unsigned long long whole(uint64_t value) { return value; }

// The inputs, as often as they are to run.
BoundInputs repeated_inputs(const TargetBenchCommand& command, const ProgramFile& file,
                            uint32_t method) {
  BoundInputs inputs;
  if (command.inputs.files.empty()) {
    inputs.tensors = make_up_inputs(file, method);
  } else {
    inputs = bind_inputs(file, method, read_inputs(file, method, command.inputs));
  }
  if (inputs.stacked) {
    throw InputError("--input: expected inputs of one run, found " + std::to_string(inputs.runs) +
                     " stacked ones; --repeat says how often they run");
  }
  for (HostTensor& tensor : inputs.tensors) {
    const std::vector<std::byte> once = tensor.bytes;
    for (uint32_t run = 1; run < command.repeat; ++run) {
      tensor.bytes.insert(tensor.bytes.end(), once.begin(), once.end());
    }
    tensor.dims.insert(tensor.dims.begin(), command.repeat);
  }
  inputs.stacked = true;
  inputs.runs = command.repeat;
  return inputs;
}

void print_report(const TargetBenchReport& report) {
  const TargetTaskResult& task = report.result.tasks[0];
  const TargetResult& result = report.result;
  const char* unit = result.counts_instructions ? "instructions" : "ns";
  const std::vector<uint64_t> clock = report.sorted_clock();
  print("board %s, %llu runs%s\n", report.board.c_str(), whole(task.runs),
        report.made_up_inputs ? ", inputs made up: give --input for real ones" : "");
  print("%-6s %14s\n", "", unit);
  print("%-6s %14llu\n", "load", whole(task.load_instructions));
  print("%-6s %14llu\n", "min", whole(clock.front()));
  print("%-6s %14llu\n", "median", whole(clock[clock.size() / 2]));
  print("%-6s %14llu\n", "max", whole(clock.back()));
  if (result.counted) {
    print("by the counter: %llu instructions a run\n", whole(result.instructions / task.runs));
  }
  if (result.cycles != 0) {
    print("about %llu cycles a run, an estimate without wait states\n",
          whole(result.cycles / task.runs));
  }
  print("stack: %llu bytes to load, %llu to run\n", whole(task.load_stack_bytes),
        whole(task.run_stack_bytes));
  if (report.profile) print_text(to_text(*report.profile, "instructions"));
}

int run_target_bench(const TargetBenchCommand& command) {
  const planner::Board board = find_target_board(command.board);
  const auto opened =
      open_program_or_model(command.program, command.model, {command.board.board, "harness"});
  const ProgramFile& file = *opened;
  TargetTask task;
  task.method = file.find_method(method_for(file, command.method, command.inputs.files));
  task.inputs = repeated_inputs(command, file, task.method);
  TargetBenchReport report;
  report.board = board.name;
  report.made_up_inputs = command.inputs.files.empty() && !task.inputs.tensors.empty();
  {
    Progress progress("board " + board.name);
    TargetOptions options = command.board.options();
    options.time_each_run = true;
    options.count_cycles = true;
    options.progress = progress.hook();
    report.result = run_on_target(board, file, {&task, 1}, options);
    if (command.profile) {
      // Marks around steps are in no run that is measured.
      options.time_each_run = options.count_cycles = false;
      options.profile_steps = true;
      const TargetResult marked = run_on_target(board, file, {&task, 1}, options);
      report.profile = step_costs(file, task.method, board, marked);
    }
  }
  if (command.json) {
    print_text(to_json(report) + "\n");
  } else {
    print_report(report);
  }
  return kDone;
}

std::function<int()> declare_target_bench(Options& options) {
  const auto bench = std::make_shared<TargetBenchCommand>();
  options.add("PROGRAM", bench->program, "Program, or a model, which is planned for the board")
      .required();
  add_board(options, bench->board);
  add_model_options(options, bench->model);
  add_state_options(options, bench->model);
  add_inputs(options, bench->inputs);
  add_method(options, bench->method);
  options.add("--repeat", bench->repeat, "Runs to measure").range(1, 100000).shows_default();
  options.add("--profile", bench->profile,
              "Also tell the instructions of each step, dearest first");
  add_json(options, bench->json);
  return [bench] { return run_target_bench(*bench); };
}

}  // namespace

const Command kTargetBenchCommand = {
    .name = "target bench",
    .summary = "Measure what loading and running takes on a board",
    .examples =
        "arenite target bench --board mps2-an386 model.arn --profile\n"
        "arenite target bench --board ./my-board.json --port /dev/ttyACM0 model.arn --repeat 20 "
        "--json",
    .declare = declare_target_bench,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

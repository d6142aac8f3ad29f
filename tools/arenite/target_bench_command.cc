// `arenite target bench`: what loading and running takes on a board.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "support/file.h"
#include "support/output.h"
#include "support/printable.h"
#include "support/progress.h"
#include "tools/arenite/calibrate_report.h"
#include "tools/arenite/case_costs.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/input_files.h"
#include "tools/arenite/json.h"
#include "tools/arenite/program_or_model.h"
#include "tools/arenite/step_costs.h"
#include "tools/arenite/target_board.h"
#include "tools/calibrate/step_samples.h"
#include "tools/compare/made_up_inputs.h"
#include "tools/run/method_choice.h"
#include "tools/run/tensor_args.h"
#include "tools/target/operator_cases.h"
#include "tools/target/scratch_folder.h"

namespace arenite::tools {
namespace {

struct TargetBenchCommand {
  std::vector<std::string> programs;
  std::string calibrate, log, from_log;
  bool ops = false;
  double instruction_ps = 1000;
  BoardArguments board;
  ModelOptions model;
  InputArguments inputs;
  std::string method;
  uint32_t repeat = 3;
  bool profile = false;
  bool json = false;
};

// A case that takes longer is left out. An emulator on a busy machine takes 20 to load the first.
constexpr double kCaseSeconds = 60;

unsigned long long whole(uint64_t value) { return value; }

// The inputs, as often as they are to run.
BoundInputs repeated_inputs(const TargetBenchCommand& command, const ProgramFile& file,
                            uint32_t method, uint32_t repeat) {
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
    for (uint32_t run = 1; run < repeat; ++run) {
      tensor.bytes.insert(tensor.bytes.end(), once.begin(), once.end());
    }
    tensor.dims.insert(tensor.dims.begin(), repeat);
  }
  inputs.stacked = true;
  inputs.runs = repeat;
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

std::vector<MeasuredProgram> measured_programs(const TargetBenchCommand& command,
                                               const planner::Board& board) {
  std::vector<MeasuredProgram> programs;
  if (command.programs.empty()) return programs;
  if (!command.board.options().place.in_emulator()) {
    throw InputError("--calibrate " + command.calibrate +
                     ": the emulator's counter counts steps, which a board on a line lacks; "
                     "expected no PROGRAM, or a board without --port and --exec");
  }
  Progress progress("calibration", command.programs.size());
  for (const std::string& path : command.programs) {
    const auto opened =
        open_program_or_model(path, command.model, {command.board.board, "harness"});
    TargetTask task;
    task.method = opened->find_method(method_for(*opened, command.method, command.inputs.files));
    task.inputs = repeated_inputs(command, *opened, task.method, 1);
    TargetOptions options = command.board.options();
    options.profile_steps = true;
    const TargetResult marked = run_on_target(board, *opened, {&task, 1}, options);
    programs.push_back(
        {path, step_samples(*opened, task.method, find_target_variant(*opened, task.method, board),
                            step_costs(*opened, task.method, board, marked), command.instruction_ps,
                            std::nullopt)});
    progress.advance();
  }
  return programs;
}

std::vector<CostSample> samples_of_cases(const TargetBenchCommand& command,
                                         const planner::Board& board) {
  CaseClocks clocks;
  if (!command.from_log.empty()) {
    const std::vector<std::byte> log = read_file(command.from_log);
    clocks = read_log({reinterpret_cast<const char*>(log.data()), log.size()}, command.from_log,
                      board.name);
  }
  const ScratchFolder scratch;
  const std::filesystem::path path = scratch.path() / "cases.arn";
  write_cost_cases(command.board.board, path);
  const ProgramFile cases(read_file(path), path.string());
  if (command.from_log.empty()) {
    TargetOptions options = command.board.options();
    options.count = options.read_outputs = false;
    if (!options.timeout_seconds) options.timeout_seconds = kCaseSeconds;
    clocks = clock_cases(board, cases, options);
  }
  if (!command.log.empty()) write_file(command.log, to_log(clocks, board.name));
  return case_samples(board, cases, clocks, command.instruction_ps);
}

// Costs of forms from the clocks of cases, or from the instructions of programs' steps.
int calibrate(const TargetBenchCommand& command, const planner::Board& board) {
  if (command.ops) {
    const std::vector<CostSample> cases = samples_of_cases(command, board);
    write_calibration(board, command.calibrate, measured_programs(command, board), cases,
                      command.json);
    return kDone;
  }
  write_calibration(board, command.calibrate, measured_programs(command, board), {}, command.json);
  return kDone;
}
void check_calibration(const TargetBenchCommand& command) {
  if (command.ops && command.calibrate.empty()) {
    throw InputError("--ops: expected --calibrate FILE with it");
  }
  if (!command.ops && (!command.log.empty() || !command.from_log.empty())) {
    throw InputError(std::string(command.log.empty() ? "--from-log" : "--log") +
                     ": it is about clocks of operator cases, expected --ops with it");
  }
  if (!command.log.empty() && !command.from_log.empty()) {
    throw InputError("--log and --from-log: expected one of the two");
  }
  if (!command.ops && command.programs.empty()) {
    throw InputError("expected a PROGRAM, or --calibrate FILE --ops, found neither");
  }
}

int run_target_bench(const TargetBenchCommand& command) {
  const planner::Board board = find_target_board(command.board);
  check_calibration(command);
  if (!command.calibrate.empty()) return calibrate(command, board);
  expect_one_program(command.programs);
  const auto opened =
      open_program_or_model(command.programs[0], command.model, {command.board.board, "harness"});
  const ProgramFile& file = *opened;
  TargetTask task;
  task.method = file.find_method(method_for(file, command.method, command.inputs.files));
  task.inputs = repeated_inputs(command, file, task.method, command.repeat);
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
  options.add("PROGRAM", bench->programs,
              "Program, or a model, which is planned for the board; several with --calibrate");
  add_board(options, bench->board);
  add_model_options(options, bench->model);
  add_state_options(options, bench->model);
  add_inputs(options, bench->inputs);
  add_method(options, bench->method);
  options.add("--repeat", bench->repeat, "Runs to measure").range(1, 100000).shows_default();
  options.add("--profile", bench->profile,
              "Also tell the instructions of each step, dearest first");
  add_calibrate(options, bench->calibrate, "instructions in the emulator");
  options.add(
      "--ops", bench->ops,
      "With --calibrate: fit the costs to clocks of operator cases instead, which the board "
      "runs, and hold them against the PROGRAMs");
  options.add("--log", bench->log, "With --ops: write the clocks of the cases to this file")
      .value_name("FILE");
  options
      .add("--from-log", bench->from_log,
           "With --ops: take the clocks from what --log wrote, without a board")
      .value_name("FILE");
  options
      .add("--instruction-ps", bench->instruction_ps,
           "What --calibrate takes an instruction for, in picoseconds")
      .value_name("PS")
      .check([](const std::string& text) {
        const double ps = std::strtod(text.c_str(), nullptr);
        return ps > 0 && ps <= 1e9 ? "" : "expected picoseconds up to 1e9, found " + quote(text);
      })
      .shows_default();
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
        "--json\n"
        "arenite target bench --board mps2-an386 --calibrate ./calibrated.json a.tflite b.onnx",
    .declare = declare_target_bench,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// `arenite bench`: what running a program takes on this machine, and where the time goes.
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "planner/board/board.h"
#include "support/file.h"
#include "support/output.h"
#include "support/printable.h"
#include "support/progress.h"
#include "tools/arenite/calibrate_report.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/input_files.h"
#include "tools/arenite/json.h"
#include "tools/arenite/program_or_model.h"
#include "tools/arenite/timed_steps.h"
#include "tools/compare/made_up_inputs.h"
#include "tools/run/cost_table.h"
#include "tools/run/measure.h"
#include "tools/run/tensor_args.h"
#include "tools/target/operator_cases.h"
#include "tools/target/scratch_folder.h"

namespace arenite::tools {
namespace {

// Steps are timed for less long than runs: there are many of them in each.
constexpr double kShareOfProfile = 0.5;
// Other work on the machine disturbs a round for seconds, seldom all of them.
constexpr uint32_t kRounds = 3;
// All cases of a round take a minute.
constexpr double kCaseSeconds = 0.005;

struct BenchCommand {
  std::vector<std::string> programs;
  std::string calibrate;
  bool ops = false;
  std::string board;
  ModelOptions model;
  InputArguments inputs;
  std::string device = "auto";
  bool allow_fallback = false;
  std::string threads = "auto";
  std::string method;
  double seconds = 1;
  bool json = false;
};

BoundInputs inputs_of(const ProgramFile& file, uint32_t method, const InputArguments& arguments) {
  auto given = read_inputs(file, method, arguments);
  if (arguments.files.empty() && !given.empty()) {
    BoundInputs made_up;
    made_up.tensors = make_up_inputs(file, method);
    return made_up;
  }
  return bind_inputs(file, method, std::move(given));
}

void print_report(const BenchReport& report) {
  const RunInfo& info = report.info;
  print("device %s (%s), %u thread%s, variant for board %s\n", info.on_vulkan ? "vulkan" : "cpu",
        info.device_name.c_str(), info.threads, info.threads == 1 ? "" : "s",
        printable(info.board).c_str());
  if (info.fell_back) print("fell back: %s\n", info.fell_back->c_str());
  if (report.made_up_inputs) print("inputs made up: give --input for real ones\n");
  print_text(to_text(report.times, report.memory));
  if (info.fell_back && !info.on_vulkan) {
    print("memory and loading may include a driver that is not used: --device cpu starts none\n");
  }
  print_text(to_text(report.profile, "us"));
}

BenchReport measure(const BenchCommand& command, Progress& progress) {
  const DeviceChoice device = parse_device(command.device, command.allow_fallback);
  RunnerOptions options{device, command.board, parse_threads(command.threads), command.method};
  progress.show("planning", 0, 0);
  const auto file = open_program_or_model(command.programs[0], command.model);
  // The memory that planning took is no part of the memory of running.
  forget_peak_memory();
  const uint32_t method = file->find_method(command.method);
  const BoundInputs inputs = inputs_of(*file, method, command.inputs);
  VulkanHost vulkan(vulkan_options(device, ""));
  BenchReport report;
  report.made_up_inputs = command.inputs.files.empty() && !inputs.tensors.empty();
  RepeatOptions often = timed_for(command.seconds);
  {
    const uint64_t load_begin_ns = now_ns();
    Runner runner(*file, options, &vulkan);
    const double load_ms = static_cast<double>(now_ns() - load_begin_ns) / 1e6;
    const LoadParts load_parts = vulkan.load_parts();
    progress.show("timing runs", 0, 0);
    report.times = repeat(runner, inputs, often, nullptr).times;
    report.times.load_ms = load_ms;
    if (runner.info().on_vulkan) report.times.load_parts = load_parts;
    report.memory = resident_memory();
    report.info = runner.info();
  }
  // Loaded again: what reads clocks around each step is not in what was timed.
  Profiler profiler(false);
  options.profiler = &profiler;
  Runner runner(*file, options, &vulkan);
  often.seconds *= kShareOfProfile;
  progress.show("timing steps", 0, 0);
  repeat(runner, inputs, often, nullptr);
  report.profile = time_table(*file, method, runner.variant(), profiler);
  if (report.info.on_vulkan) vulkan.save_cache();
  return report;
}

// Every method of a program of operator cases.
std::vector<TimedSteps> steps_of_cases(const ProgramFile& cases) {
  std::vector<TimedSteps> all;
  for (uint32_t m = 0; m < cases.program().methods().size(); ++m) {
    BoundInputs inputs;
    inputs.tensors = make_up_inputs(cases, m);
    all.emplace_back(cases, m, std::move(inputs));
  }
  return all;
}

void time_cases(std::span<TimedSteps> cases, const RunnerOptions& options, VulkanHost& vulkan) {
  Progress progress("cases", cases.size());
  for (TimedSteps& one : cases) {
    try {
      one.time(options, vulkan, kCaseSeconds);
    } catch (const RunError&) {
      // It cannot be run here, and is left out.
    }
    progress.advance();
  }
}

void time_programs(std::span<TimedSteps> programs, const RunnerOptions& options, VulkanHost& vulkan,
                   double seconds) {
  Progress progress("programs", programs.size());
  for (TimedSteps& one : programs) {
    one.time(options, vulkan, seconds);
    progress.advance();
  }
}

// Costs of forms from the times of steps, of operator cases or of the programs.
int calibrate(const BenchCommand& command) {
  const planner::Board board = planner::find_board(command.board.empty() ? "host" : command.board);
  const DeviceChoice device = parse_device(command.device, command.allow_fallback);
  // All are opened before anything is timed: what is wrong with one is told at once.
  const auto files =
      open_programs_or_models(command.programs, command.model, {board.file.string(), {}});
  std::vector<TimedSteps> programs;
  for (const auto& file : files) {
    const uint32_t method = file->find_method(command.method);
    programs.emplace_back(*file, method, inputs_of(*file, method, command.inputs));
  }
  const ScratchFolder scratch;
  std::unique_ptr<const ProgramFile> cases_file;
  std::vector<TimedSteps> cases;
  if (command.ops) {
    const std::filesystem::path path = scratch.path() / "cases.arn";
    write_cost_cases(board.file.string(), path);
    cases_file = std::make_unique<const ProgramFile>(read_file(path), path.string());
    cases = steps_of_cases(*cases_file);
  }
  VulkanHost vulkan(vulkan_options(device, ""));
  const RunnerOptions options{device, board.name, parse_threads(command.threads), ""};
  for (uint32_t round = 0; round < kRounds; ++round) {
    time_cases(cases, options, vulkan);
    time_programs(programs, options, vulkan, command.seconds / kRounds);
  }
  std::vector<CostSample> samples;
  for (const TimedSteps& one : cases) {
    const std::vector<CostSample> of_case = one.samples();
    samples.insert(samples.end(), of_case.begin(), of_case.end());
  }
  std::vector<MeasuredProgram> measured;
  for (size_t i = 0; i < programs.size(); ++i) {
    measured.push_back({command.programs[i], programs[i].samples()});
  }
  write_calibration(board, command.calibrate, measured, samples, command.json);
  return kDone;
}

void check_bench(const BenchCommand& command) {
  if (command.ops && command.calibrate.empty()) {
    throw InputError("--ops: expected --calibrate FILE with it");
  }
  if (!command.ops && command.programs.empty()) {
    throw InputError("expected a PROGRAM, or --calibrate FILE --ops, found neither");
  }
}

int run_bench(const BenchCommand& command) {
  check_bench(command);
  if (!command.calibrate.empty()) return calibrate(command);
  expect_one_program(command.programs);
  BenchReport report;
  {
    Progress progress("bench");
    report = measure(command, progress);
  }
  if (command.json) {
    print_text(to_json(report) + "\n");
  } else {
    print_report(report);
  }
  return kDone;
}

std::function<int()> declare_bench(Options& options) {
  const auto bench = std::make_shared<BenchCommand>();
  options.add("PROGRAM", bench->programs,
              "Program, or a model, which is planned for this machine; several with --calibrate");
  options.add("--board", bench->board, "Use only variants planned for this board")
      .value_name("NAME");
  add_model_options(options, bench->model);
  add_state_options(options, bench->model);
  add_inputs(options, bench->inputs);
  add_device(options, bench->device);
  add_allow_fallback(options, bench->allow_fallback);
  add_threads(options, bench->threads);
  add_method(options, bench->method);
  options.add("--seconds", bench->seconds, "How long to measure, at least, and ten runs at least")
      .value_name("S")
      .check([](const std::string& text) {
        const double seconds = std::strtod(text.c_str(), nullptr);
        return seconds >= 0 && seconds <= 3600
                   ? ""
                   : "expected seconds from 0 to 3600, found " + quote(text);
      })
      .shows_default();
  add_calibrate(options, bench->calibrate, "the times of steps here");
  options.add(
      "--ops", bench->ops,
      "With --calibrate: fit the costs to times of operator cases instead, and hold them against "
      "the PROGRAMs");
  add_json(options, bench->json);
  return [bench] { return run_bench(*bench); };
}

}  // namespace

const Command kBenchCommand = {
    .name = "bench",
    .summary = "Measure what running takes here: runs, steps, memory",
    .examples =
        "arenite bench model.onnx\n"
        "arenite bench model.arn --device cpu --threads 1\n"
        "arenite bench model.arn --device vulkan --seconds 5 --json\n"
        "arenite bench --calibrate ./here.json --threads 1 --device cpu --ops",
    .declare = declare_bench,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

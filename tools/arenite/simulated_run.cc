// `arenite run --simulate`: runs a program in a board's memories on this machine.
#include "planner/board/board.h"
#include "support/file.h"
#include "support/output.h"
#include "support/printable.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/json.h"
#include "tools/arenite/program_or_model.h"
#include "tools/arenite/run_options.h"
#include "tools/arenite/trace.h"
#include "tools/arenite/traffic_page.h"
#include "tools/run/method_choice.h"
#include "tools/run/tensor_args.h"
#include "tools/simulate/simulate.h"

namespace arenite::tools {
namespace {

// Refuses options about this machine, which a board has nothing of.
void check_simulated(const RunCommand& command) {
  if (command.board.empty()) {
    throw InputError("--simulate needs a board: give --board NAME or a board file");
  }
  if (command.allow_fallback) {
    throw InputError("--simulate --allow-fallback: expected --device vulkan, or the board's CPU");
  }
  const auto refuse = [](bool given, const char* option) {
    if (!given) return;
    throw InputError(std::string("--simulate ") + option +
                     ": expected one of the two: times of this machine are not the board's");
  };
  refuse(command.profile, "--profile");
  refuse(command.threads != "auto" && command.threads != "1", "--threads");
  refuse(!command.pipeline_cache.empty(), "--pipeline-cache");
  if (!command.trace.empty() && !command.count_memory) {
    throw InputError("--simulate --trace " + command.trace +
                     ": a simulated run's trace is of the bytes that steps move, expected "
                     "--count-memory with it");
  }
  if (!command.report.empty() && !command.count_memory) {
    throw InputError("--report " + command.report +
                     ": it shows the bytes that steps move, expected --count-memory with it");
  }
  const auto expect_file = [](const char* option, const std::string& file) {
    if (!is_standard_output(file)) return;
    throw InputError(std::string(option) + " " + file +
                     ": standard output has the result of the run; expected another file");
  };
  expect_file("--trace", command.trace);
  expect_file("--report", command.report);
}

void print_simulation(const RunReport& report) {
  const RunInfo& info = report.info;
  print("board %s, simulated\n", printable(info.board).c_str());
  if (info.on_vulkan) {
    print("device %s, with the board's limits\n", printable(info.device_name).c_str());
    print("%u steps: %u on Vulkan, %u on CPU, %u views; %u transfers\n", info.counts.of_model(),
          info.counts.vulkan, info.counts.cpu, info.counts.views, info.counts.transfers);
  } else {
    print("%u steps: %u on CPU, %u views\n", info.counts.of_model(), info.counts.cpu,
          info.counts.views);
  }
  print_text(to_text(*report.simulation));
  for (const OutputLine& output : report.outputs) print_text(to_text(output));
  if (report.top) print_text(to_text(*report.top));
  for (const ExpectLine& line : report.expected) print_text(to_text(line) + "\n");
}

}  // namespace

int run_simulated(const RunCommand& command) {
  check_simulated(command);
  const planner::Board board = planner::find_board(command.board);
  const Sources sources = sources_of(command);
  if (!command.trace.empty()) sources.check("--trace", command.trace);
  if (!command.report.empty()) sources.check("--report", command.report);
  const auto file = open_program_or_model(command.program, command.model, {command.board, {}});
  const std::string method_name = method_for(*file, command.method, command.inputs.files);
  const uint32_t method = file->find_method(method_name);
  BoundInputs inputs = bind_inputs(*file, method, read_inputs(*file, method, command.inputs));
  inputs.reset_each = command.reset_each;
  const auto expectations = read_expectations(*file, method, command.expect, inputs);
  const std::optional<Labels> labels = read_labels(*file, method, command.labels);

  const DeviceChoice device = parse_device(command.device);
  std::optional<VulkanHost> vulkan;
  if (device.kind == DeviceKind::kVulkan) vulkan.emplace(simulated_device(board, device));
  SimulatedRun run =
      simulate(*file, board, inputs,
               {method_name, command.repeat, command.count_memory, vulkan ? &*vulkan : nullptr});
  RunReport report;
  report.runs = inputs.runs;
  report.simulation = std::move(run.simulation);
  if (!command.trace.empty()) write_file(command.trace, trace_json(*report.simulation));
  if (!command.report.empty()) write_file(command.report, traffic_page(*report.simulation));
  report.info = run.info;
  report.times = run.times;
  report.memory = resident_memory();
  report.outputs = write_outputs(*file, method, run.outputs, command.output_dir, sources);
  report.expected = check_expectations(*file, method, expectations, run.outputs,
                                       parse_tolerance(command.expect.tolerance));
  if (labels) report.top = top_classes(*file, method, *labels, run.outputs, inputs.runs);
  if (command.json) {
    print_text(to_json(report) + "\n");
  } else {
    print_simulation(report);
  }
  return all_agree(report.expected) ? kDone : kFailed;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

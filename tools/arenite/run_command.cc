// `arenite run`: runs a program on this machine.
#include <algorithm>
#include <chrono>

#include "support/output.h"
#include "support/progress.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/expect.h"
#include "tools/arenite/input_files.h"
#include "tools/arenite/json.h"
#include "tools/arenite/labels.h"
#include "tools/run/runner.h"
#include "tools/run/tensor_args.h"
#include "tools/run/timing.h"

namespace arenite::tools {
namespace {

using Clock = std::chrono::steady_clock;

struct RunCommand {
  std::string program;
  std::string board;
  InputArguments inputs;
  std::string output_dir;
  ExpectArguments expect;
  LabelArguments labels;
  std::string device = "auto";
  std::string method;
  std::string pipeline_cache;
  bool allow_fallback = false;
  std::string threads = "auto";
  uint32_t repeat = 1;
  bool json = false;
};

// Runs the inputs `repeat` times and keeps the first outputs.
std::vector<HostTensor> timed_runs(Runner& runner, const BoundInputs& inputs, uint32_t repeat,
                                   double& median_ms) {
  std::vector<HostTensor> outputs;
  std::vector<double> times;
  Progress progress("run", repeat);
  for (uint32_t r = 0; r < repeat; ++r) {
    const Clock::time_point start = Clock::now();
    std::vector<HostTensor> these = run_bound(runner, inputs);
    const std::chrono::duration<double, std::milli> spent = Clock::now() - start;
    times.push_back(spent.count() / std::max(1u, inputs.runs));
    if (r == 0) outputs = std::move(these);
    progress.advance();
  }
  median_ms = median(std::move(times));
  return outputs;
}

void print_report(const RunReport& report) {
  const RunInfo& info = report.info;
  print("device %s (%s), %u thread%s, variant for board %s\n", info.on_vulkan ? "vulkan" : "cpu",
        info.device_name.c_str(), info.threads, info.threads == 1 ? "" : "s", info.board.c_str());
  if (info.fell_back) print("fell back: %s\n", info.fell_back->c_str());
  print("%u steps: %u on Vulkan, %u on CPU, %u views; %u transfers\n", info.steps,
        info.vulkan_steps, info.cpu_steps, info.view_steps, info.transfers);
  for (const RunInfo::Arena& arena : info.arenas) {
    print("arena %s: %u bytes\n", arena.name.c_str(), arena.bytes);
  }
  if (report.pipeline_ms >= 0) {
    print("pipelines made in %.1f ms (cache %s", report.pipeline_ms, report.pipeline_cache.c_str());
    if (report.cold_pipeline_ms >= 0) print("; %.1f ms when cold", report.cold_pipeline_ms);
    print(")\n");
  }
  for (const OutputLine& output : report.outputs) {
    print("%s %s%s%s\n", output.name.c_str(), describe(output.dtype, output.dims).c_str(),
          output.file.empty() ? "" : " -> ", output.file.c_str());
  }
  print("median %.3f ms\n", report.median_ms);
  if (report.top) print_text(to_text(*report.top));
  for (const ExpectLine& line : report.expected) print_text(to_text(line) + "\n");
}

int run_run(const RunCommand& command) {
  const DeviceChoice device = parse_device(command.device, command.allow_fallback);
  const uint32_t threads = parse_threads(command.threads);
  const ProgramFile file(std::filesystem::path(command.program), command.board);
  VulkanHost vulkan(vulkan_options(device, command.pipeline_cache));
  Runner runner(file, {device, command.board, threads, command.method}, &vulkan);
  const uint32_t method = runner.method();
  const BoundInputs inputs = bind_inputs(runner, read_inputs(file, method, command.inputs));
  const auto expectations = read_expectations(file, method, command.expect, inputs);
  const std::optional<Labels> labels = read_labels(file, method, command.labels);

  RunReport report;
  report.runs = inputs.runs;
  const std::vector<HostTensor> outputs =
      timed_runs(runner, inputs, command.repeat, report.median_ms);
  report.outputs = write_outputs(file, method, outputs, command.output_dir);
  report.expected =
      check_expectations(file, method, expectations, outputs, command.expect.tolerance);
  if (labels) report.top = top_classes(file, method, *labels, outputs, inputs.runs);
  report.info = runner.info();
  if (report.info.on_vulkan) {
    report.pipeline_ms = vulkan.pipeline_ms();
    report.cold_pipeline_ms = vulkan.cold_pipeline_ms();
    report.pipeline_cache = vulkan.cache_use();
    vulkan.save_cache();
  }
  report.validation_messages = vulkan.validation_messages();
  if (command.json) {
    print_text(to_json(report) + "\n");
  } else {
    print_report(report);
  }
  return all_agree(report.expected) ? kDone : kFailed;
}

std::function<int()> declare(Options& options) {
  const auto run = std::make_shared<RunCommand>();
  options.add("PROGRAM", run->program, "Program file").required();
  options.add("--board", run->board, "Use only variants planned for this board").value_name("NAME");
  add_inputs(options, run->inputs);
  add_output_dir(options, run->output_dir);
  add_expect(options, run->expect);
  add_labels(options, run->labels);
  add_device(options, run->device);
  add_allow_fallback(options, run->allow_fallback);
  add_threads(options, run->threads);
  add_method(options, run->method);
  options.add("--repeat", run->repeat, "Run this often and report the median time")
      .range(1, 1000000000)
      .shows_default();
  options
      .add("--pipeline-cache", run->pipeline_cache,
           "File that keeps compiled shaders between runs (default: in the user's cache folder)")
      .value_name("FILE");
  add_json(options, run->json);
  return [run] { return run_run(*run); };
}

}  // namespace

const Command kRunCommand = {
    .name = "run",
    .summary = "Run a program on this machine",
    .examples =
        "arenite run model.arn --input image.npy --output-dir out\n"
        "arenite run model.arn --input left=a.npy --input right=b.npy --device cpu\n"
        "arenite run model.arn --input photo.jpg --resize --scale 1/255 --labels names.txt --top "
        "3\n"
        "arenite run model.arn --input image.npy --expect logits.npy --tolerance 1e-5\n"
        "arenite run model.arn --input image.npy --repeat 100 --json",
    .declare = declare,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// `arenite run`: runs a program on this machine.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "tools/arenite/commands.h"
#include "tools/arenite/json.h"
#include "tools/arenite/progress.h"
#include "tools/arenite/proto_format.h"
#include "tools/run/runner.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

using Clock = std::chrono::steady_clock;

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const size_t half = times.size() / 2;
  return times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
}

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

void print_text(const RunReport& report) {
  const RunInfo& info = report.info;
  std::printf("device %s (%s), variant for board %s\n", info.on_vulkan ? "vulkan" : "cpu",
              info.device_name.c_str(), info.board.c_str());
  if (info.fell_back) std::printf("fell back: %s\n", info.fell_back->c_str());
  std::printf("%u steps: %u on Vulkan, %u on CPU, %u views; %u transfers\n", info.steps,
              info.vulkan_steps, info.cpu_steps, info.view_steps, info.transfers);
  for (const RunInfo::Arena& arena : info.arenas) {
    std::printf("arena %s: %u bytes\n", arena.name.c_str(), arena.bytes);
  }
  if (report.pipeline_ms >= 0) {
    std::printf("pipelines made in %.1f ms (cache %s", report.pipeline_ms,
                report.pipeline_cache_warm ? "warm" : "cold");
    if (report.cold_pipeline_ms >= 0) std::printf("; %.1f ms when cold", report.cold_pipeline_ms);
    std::printf(")\n");
  }
  for (const OutputLine& output : report.outputs) {
    std::printf("%s %s%s%s\n", output.name.c_str(), describe(output.dtype, output.dims).c_str(),
                output.file.empty() ? "" : " -> ", output.file.c_str());
  }
  std::printf("median %.3f ms\n", report.median_ms);
}

}  // namespace

int run_run(const RunCommand& command) {
  const DeviceChoice device = parse_device(command.device);
  const ProgramFile file{std::filesystem::path(command.program)};
  VulkanHost vulkan(vulkan_options(device, command.pipeline_cache));
  Runner runner(file, {device, command.board, command.threads, command.method},
                device.vulkan ? &vulkan : nullptr);
  const BoundInputs inputs =
      bind_inputs(runner, read_inputs(file, runner.method(), command.inputs, &kProtoFormat));

  RunReport report;
  report.runs = inputs.runs;
  const std::vector<HostTensor> outputs =
      timed_runs(runner, inputs, command.repeat, report.median_ms);
  report.outputs = write_outputs(file, runner.method(), outputs, command.output_dir);
  report.info = runner.info();
  if (report.info.on_vulkan) {
    report.pipeline_ms = vulkan.pipeline_ms();
    report.cold_pipeline_ms = vulkan.cold_pipeline_ms();
    report.pipeline_cache_warm = vulkan.cache_was_warm();
    vulkan.save_cache();
  }
  report.validation_messages = vulkan.validation_messages();
  if (command.json) {
    std::printf("%s\n", to_json(report).c_str());
  } else {
    print_text(report);
  }
  return kDone;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

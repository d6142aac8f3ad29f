// `arenite run`: runs a program on this machine.
#include "support/file.h"
#include "support/output.h"
#include "support/printable.h"
#include "support/progress.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/json.h"
#include "tools/arenite/run_options.h"
#include "tools/arenite/trace.h"
#include "tools/run/method_choice.h"
#include "tools/run/runner.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {

Sources sources_of(const RunCommand& command) {
  Sources sources;
  for (const std::string& one : {command.program, command.board, command.labels.file}) {
    sources.add(one);
  }
  sources.add(command.inputs.files);
  sources.add(command.expect.files);
  return sources;
}

namespace {

void print_report(const RunReport& report) {
  const RunInfo& info = report.info;
  print("device %s (%s), %u thread%s, variant for board %s\n", info.on_vulkan ? "vulkan" : "cpu",
        info.device_name.c_str(), info.threads, info.threads == 1 ? "" : "s",
        printable(info.board).c_str());
  if (info.fell_back) print("fell back: %s\n", info.fell_back->c_str());
  print("%u steps: %u on Vulkan, %u on CPU, %u views; %u transfers\n", info.counts.of_model(),
        info.counts.vulkan, info.counts.cpu, info.counts.views, info.counts.transfers);
  if (info.submissions != 0) {
    print("%u submission%s, %u of %u dispatches in the last run\n", info.submissions,
          info.submissions == 1 ? "" : "s", info.dispatches_run, info.dispatches);
  }
  for (const RunInfo::Arena& arena : info.arenas) {
    print("arena %s: %u bytes\n", printable(arena.name).c_str(), arena.bytes);
  }
  if (report.pipeline_ms >= 0) {
    print("pipelines made in %.1f ms (cache %s", report.pipeline_ms, report.pipeline_cache.c_str());
    if (report.cold_pipeline_ms >= 0) print("; %.1f ms when cold", report.cold_pipeline_ms);
    print(")\n");
  }
  for (const OutputLine& output : report.outputs) print_text(to_text(output));
  print("median %.3f ms\n", report.times.median_ms);
  if (report.top) print_text(to_text(*report.top));
  for (const ExpectLine& line : report.expected) print_text(to_text(line) + "\n");
  if (report.profile) {
    print_text(to_text(report.times, report.memory));
    print_text(to_text(*report.profile, "us"));
  }
}

std::vector<HostTensor> run_timed(Runner& runner, const BoundInputs& inputs, uint32_t count,
                                  RunTimes& times) {
  Progress progress("run", count);
  RepeatOptions options;
  options.least = options.most = count;
  Repeated repeated = repeat(runner, inputs, options, [&progress] { progress.advance(); });
  times = repeated.times;
  return std::move(repeated.outputs);
}

// Refuses options that only a simulated run has.
void check_not_simulated(const RunCommand& command) {
  std::string option = command.model.first();
  if (command.count_memory) option = "--count-memory";
  if (!command.report.empty()) option = "--report";
  if (!option.empty()) {
    throw InputError(option + " is about a simulated run: expected --simulate with it");
  }
}

int run_run(const RunCommand& command) {
  if (command.simulate) return run_simulated(command);
  check_not_simulated(command);
  const DeviceChoice device = parse_device(command.device, command.allow_fallback);
  const uint32_t threads = parse_threads(command.threads);
  if (is_standard_output(command.trace)) {
    throw InputError("--trace " + command.trace +
                     ": standard output has the result of the run; expected another file");
  }
  const Sources sources = sources_of(command);
  if (!command.trace.empty()) sources.check("--trace", command.trace);
  const ProgramFile file(std::filesystem::path(command.program), command.board);
  VulkanHost vulkan(vulkan_options(device, command.pipeline_cache));
  std::optional<Profiler> profiler;
  if (command.profile || !command.trace.empty()) profiler.emplace(!command.trace.empty());
  const std::string method_name = method_for(file, command.method, command.inputs.files);
  const uint64_t load_begin_ns = now_ns();
  Runner runner(file,
                {device, command.board, threads, method_name, profiler ? &*profiler : nullptr},
                &vulkan);
  const double load_ms = static_cast<double>(now_ns() - load_begin_ns) / 1e6;
  const LoadParts load_parts = vulkan.load_parts();
  const uint32_t method = runner.method();
  BoundInputs inputs = bind_inputs(runner, read_inputs(file, method, command.inputs));
  inputs.reset_each = command.reset_each;
  const auto expectations = read_expectations(file, method, command.expect, inputs);
  const std::optional<Labels> labels = read_labels(file, method, command.labels);

  RunReport report;
  report.runs = inputs.runs;
  const std::vector<HostTensor> outputs = run_timed(runner, inputs, command.repeat, report.times);
  report.times.load_ms = load_ms;
  report.memory = resident_memory();
  report.outputs = write_outputs(file, method, outputs, command.output_dir, sources);
  report.expected = check_expectations(file, method, expectations, outputs,
                                       parse_tolerance(command.expect.tolerance));
  if (labels) report.top = top_classes(file, method, *labels, outputs, inputs.runs);
  report.info = runner.info();
  if (report.info.on_vulkan) {
    report.times.load_parts = load_parts;
    report.pipeline_ms = load_parts.pipelines;
    report.cold_pipeline_ms = vulkan.cold_pipeline_ms();
    report.pipeline_cache = vulkan.cache_use();
    vulkan.save_cache();
  }
  report.validation_messages = vulkan.validation_messages();
  if (command.profile) {
    report.profile = time_table(file, method, runner.variant(), *profiler);
  }
  if (!command.trace.empty()) {
    write_file(command.trace,
               trace_json(profiler->timeline(), step_table(file, method, runner.variant()),
                          live_bytes(file, method, runner.variant()), report.info.device_name));
  }
  if (command.json) {
    print_text(to_json(report) + "\n");
  } else {
    print_report(report);
  }
  return all_agree(report.expected) ? kDone : kFailed;
}

std::function<int()> declare_run(Options& options) {
  const auto run = std::make_shared<RunCommand>();
  options
      .add("PROGRAM", run->program,
           "Program file; with --simulate also a model, which is planned for the board")
      .required();
  options
      .add("--board", run->board,
           "Use only variants planned for this board; with --simulate the board, or its file")
      .value_name("NAME");
  options.add("--simulate", run->simulate,
              "Run in the board's memories and by its forms, on this machine: tells accesses that "
              "a step must not make (docs/simulator.md)");
  options.add("--count-memory", run->count_memory,
              "With --simulate: see each access, and tell the bytes that each step reads and "
              "writes in each memory (many times slower)");
  options
      .add("--report", run->report,
           "With --count-memory: write a page (HTML) that shows the bytes of each step in each "
           "memory")
      .value_name("FILE");
  add_model_options(options, run->model);
  add_state_options(options, run->model);
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
  options.add(
      "--reset-each", run->reset_each,
      "Reset what the program keeps between runs before each of the inputs that are stacked, "
      "not only before the first");
  options.add("--profile", run->profile,
              "Tell what each step takes, by the device's clock where it has one, dearest first");
  options
      .add("--trace", run->trace,
           "Write what happened when to this file, for ui.perfetto.dev or chrome://tracing: host, "
           "CPU threads and GPU")
      .value_name("FILE");
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
        "arenite run model_int8.arn --input image.npy --expect logits.npy --tolerance 1step\n"
        "arenite run model.arn --input image.npy --repeat 100 --json\n"
        "arenite run model.arn --input image.npy --repeat 20 --profile --trace trace.json\n"
        "arenite run model.arn --board mps3-an547 --simulate --count-memory --input image.npy",
    .declare = declare_run,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

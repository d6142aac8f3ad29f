// `arenite-run`: runs a program on a Vulkan-capable SoC; no planner, no protobuf.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>

#include "support/output.h"
#include "tools/run/runner.h"
#include "tools/run/tensor_args.h"
#include "tools/run/timing.h"

namespace arenite::tools {
namespace {

constexpr char kUsage[] =
    "usage: arenite-run PROGRAM.arn [--input NAME=FILE]... [--output-dir DIR]\n"
    "                   [--device auto|cpu|vulkan[:N|:NAME]] [--allow-fallback] [--board NAME]\n"
    "                   [--method NAME] [--threads N|auto] [--repeat N] [--pipeline-cache FILE]\n"
    "Tensors are .npy or raw .bin. Exit status: 0 done, 1 ran and failed, 2 bad usage or input.\n";

// A command line that is none.
struct UsageError : InputError {
  using InputError::InputError;
};

struct Arguments {
  std::string program, output_dir, pipeline_cache;
  std::string device = "auto";
  std::string board, method;
  std::vector<std::string> inputs;
  bool allow_fallback = false;
  uint32_t threads = kAutoThreads, repeat = 1;
};

uint32_t parse_count(const char* option, const std::string& text) {
  uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count == 0) {
    throw UsageError(std::string(option) + ": expected a whole number above 0, found '" + text +
                     "'");
  }
  return count;
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (!option.starts_with("--")) {
      if (!arguments.program.empty()) throw UsageError("unexpected argument '" + option + "'");
      arguments.program = option;
      continue;
    }
    if (option == "--allow-fallback") {
      arguments.allow_fallback = true;
      continue;
    }
    if (i + 1 == argc) throw UsageError(option + ": unknown, or lacks its value");
    const std::string value = argv[++i];
    if (option == "--input") {
      arguments.inputs.push_back(value);
    } else if (option == "--output-dir") {
      arguments.output_dir = value;
    } else if (option == "--device") {
      arguments.device = value;
    } else if (option == "--board") {
      arguments.board = value;
    } else if (option == "--method") {
      arguments.method = value;
    } else if (option == "--threads") {
      arguments.threads = parse_threads(value);
    } else if (option == "--repeat") {
      arguments.repeat = parse_count("--repeat", value);
    } else if (option == "--pipeline-cache") {
      arguments.pipeline_cache = value;
    } else {
      throw UsageError("unknown option '" + option + "'");
    }
  }
  if (arguments.program.empty()) throw UsageError("expected a program file");
  return arguments;
}

void run(const Arguments& arguments) {
  using Clock = std::chrono::steady_clock;
  const DeviceChoice device = parse_device(arguments.device, arguments.allow_fallback);
  const ProgramFile file(std::filesystem::path(arguments.program), arguments.board);
  VulkanHost vulkan(vulkan_options(device, arguments.pipeline_cache));
  Runner runner(file, {device, arguments.board, arguments.threads, arguments.method}, &vulkan);
  const BoundInputs inputs =
      bind_inputs(runner, read_inputs(file, runner.method(), arguments.inputs, nullptr));
  std::vector<HostTensor> outputs;
  std::vector<double> times;
  for (uint32_t r = 0; r < arguments.repeat; ++r) {
    const Clock::time_point start = Clock::now();
    outputs = run_bound(runner, inputs);
    const std::chrono::duration<double, std::milli> spent = Clock::now() - start;
    times.push_back(spent.count() / std::max(1u, inputs.runs));
  }
  const RunInfo& info = runner.info();
  print("device %s (%s), %u thread%s\n", info.on_vulkan ? "vulkan" : "cpu",
        info.device_name.c_str(), info.threads, info.threads == 1 ? "" : "s");
  if (info.fell_back) print("fell back: %s\n", info.fell_back->c_str());
  print("%u steps: %u on Vulkan, %u on CPU, %u views\n", info.steps, info.vulkan_steps,
        info.cpu_steps, info.view_steps);
  const auto lines = write_outputs(file, runner.method(), outputs, arguments.output_dir);
  for (const OutputLine& line : lines) {
    print("%s %s%s%s\n", line.name.c_str(), describe(line.dtype, line.dims).c_str(),
          line.file.empty() ? "" : " -> ", line.file.c_str());
  }
  print("median %.3f ms\n", median(std::move(times)));
  if (info.on_vulkan) vulkan.save_cache();
}

int main_with_errors(int argc, char** argv) {
  prepare_standard_streams();
  try {
    if (argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0)) {
      print_text(kUsage);
    } else {
      run(parse(argc, argv));
    }
    finish_output();
    return 0;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "arenite-run: %s\n%s", error.what(), kUsage);
    return 2;
  } catch (const OutputError& error) {
    if (!error.quiet) std::fprintf(stderr, "arenite-run: %s\n", error.what());
    return 1;
  } catch (const RunError& error) {
    std::fprintf(stderr, "arenite-run: %s\n", error.what());
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arenite-run: %s\n", error.what());
    return 2;
  }
}

}  // namespace
}  // namespace arenite::tools

int main(int argc, char** argv) { return arenite::tools::main_with_errors(argc, argv); }
// SPDX-License-Identifier: Apache-2.0

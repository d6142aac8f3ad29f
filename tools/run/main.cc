// `arenite-run`: runs a program on a Vulkan-capable SoC; no planner, no protobuf.
#include <cstdio>
#include <exception>
#include <functional>
#include <new>

#include "support/output.h"
#include "support/parse_number.h"
#include "support/printable.h"
#include "support/progress.h"
#include "support/suggest.h"
#include "support/version.h"
#include "support/word_errors.h"
#include "support/working_line.h"
#include "tools/run/cost_table.h"
#include "tools/run/device_error.h"
#include "tools/run/measure.h"
#include "tools/run/method_choice.h"
#include "tools/run/runner.h"
#include "tools/run/tensor_args.h"

namespace arenite::tools {
namespace {

constexpr char kUsage[] =
    "usage: arenite-run PROGRAM.arn [--input NAME=FILE]... [--output-dir DIR]\n"
    "                   [--device auto|cpu|vulkan[:N|:NAME]] [--allow-fallback] [--board NAME]\n"
    "                   [--method NAME] [--threads N|auto] [--repeat N] [--pipeline-cache FILE]\n"
    "                   [--profile]\n"
    "       arenite-run --help | --version\n"
    "Tensors are .npy or raw .bin. Exit status: 0 done, 1 ran and failed, 2 bad usage or input.\n"
    "example: arenite-run model.arn --input image.npy --output-dir out\n";

// A command line that is none; the options that there are, where one was mistyped.
struct UsageError : WordError {
  explicit UsageError(const std::string& problem, const std::string& wrong = "",
                      const std::vector<std::string>& others = {})
      : WordError(problem, wrong, others) {}
};

struct Arguments {
  std::string program, output_dir, pipeline_cache;
  std::string device = "auto";
  std::string board, method;
  std::vector<std::string> inputs;
  bool allow_fallback = false, profile = false;
  uint32_t threads = kAutoThreads, repeat = 1;
};

uint32_t parse_count(const char* option, const std::string& text) {
  const auto count = parse_number<uint32_t>(text);
  if (count && *count != 0) return *count;
  throw UsageError(std::string(option) + ": expected a whole number above 0, found " + quote(text));
}

// An option that takes a value, and where the value goes.
struct ValueOption {
  const char* name;
  std::function<void(Arguments&, const std::string& value)> take;
};

const std::vector<ValueOption>& value_options() {
  static const std::vector<ValueOption> kOptions = {
      {"--input", [](Arguments& a, const std::string& value) { a.inputs.push_back(value); }},
      {"--output-dir", [](Arguments& a, const std::string& value) { a.output_dir = value; }},
      {"--device", [](Arguments& a, const std::string& value) { a.device = value; }},
      {"--board", [](Arguments& a, const std::string& value) { a.board = value; }},
      {"--method", [](Arguments& a, const std::string& value) { a.method = value; }},
      {"--threads",
       [](Arguments& a, const std::string& value) { a.threads = parse_threads(value); }},
      {"--repeat",
       [](Arguments& a, const std::string& value) { a.repeat = parse_count("--repeat", value); }},
      {"--pipeline-cache",
       [](Arguments& a, const std::string& value) { a.pipeline_cache = value; }}};
  return kOptions;
}

const ValueOption& find_option(const std::string& name) {
  std::vector<std::string> names = {"--help", "--version", "--allow-fallback", "--profile"};
  for (const ValueOption& option : value_options()) {
    if (option.name == name) return option;
    names.emplace_back(option.name);
  }
  throw UsageError("unknown option " + quote(name) + did_you_mean(name, names), name, names);
}

// Options are given as --name value or --name=value.
Arguments parse(const std::vector<std::string>& words) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("-") || word == "-") {
      if (!arguments.program.empty()) throw UsageError("unexpected argument " + quote(word));
      arguments.program = word;
      continue;
    }
    if (word == "--allow-fallback" || word == "--profile") {
      (word == "--profile" ? arguments.profile : arguments.allow_fallback) = true;
      continue;
    }
    const size_t equals = word.find('=');
    const ValueOption& option = find_option(word.substr(0, equals));
    if (equals != std::string::npos) {
      option.take(arguments, word.substr(equals + 1));
    } else if (i + 1 < words.size()) {
      option.take(arguments, words[++i]);
    } else {
      throw UsageError(word + ": expected a value");
    }
  }
  if (arguments.program.empty()) throw UsageError("expected a program file");
  return arguments;
}

void run(const Arguments& arguments) {
  const DeviceChoice device = parse_device(arguments.device, arguments.allow_fallback);
  const ProgramFile file(std::filesystem::path(arguments.program), arguments.board);
  VulkanHost vulkan(vulkan_options(device, arguments.pipeline_cache));
  Profiler profiler(false);
  const std::string method = method_for(file, arguments.method, arguments.inputs);
  const uint64_t load_begin_ns = now_ns();
  Runner runner(
      file,
      {device, arguments.board, arguments.threads, method, arguments.profile ? &profiler : nullptr},
      &vulkan);
  const double load_ms = static_cast<double>(now_ns() - load_begin_ns) / 1e6;
  const LoadParts load_parts = vulkan.load_parts();
  const BoundInputs inputs =
      bind_inputs(runner, read_inputs(file, runner.method(), arguments.inputs, nullptr));
  RepeatOptions options;
  options.least = options.most = arguments.repeat;
  Repeated repeated;
  {
    Progress progress("run", arguments.repeat);
    repeated = repeat(runner, inputs, options, [&progress] { progress.advance(); });
  }
  repeated.times.load_ms = load_ms;
  const RunInfo& info = runner.info();
  if (info.on_vulkan) repeated.times.load_parts = load_parts;
  print("device %s (%s), %u thread%s\n", info.on_vulkan ? "vulkan" : "cpu",
        info.device_name.c_str(), info.threads, info.threads == 1 ? "" : "s");
  if (info.fell_back) print("fell back: %s\n", info.fell_back->c_str());
  print("%u steps: %u on Vulkan, %u on CPU, %u views\n", info.counts.of_model(), info.counts.vulkan,
        info.counts.cpu, info.counts.views);
  Sources sources;
  sources.add(arguments.program);
  sources.add(arguments.board);
  sources.add(arguments.inputs);
  const auto lines =
      write_outputs(file, runner.method(), repeated.outputs, arguments.output_dir, sources);
  for (const OutputLine& line : lines) {
    print("%s %s%s%s\n", printable(line.name).c_str(), describe(line.dtype, line.dims).c_str(),
          line.file.empty() ? "" : " -> ", line.file.c_str());
  }
  print("median %.3f ms\n", repeated.times.median_ms);
  if (arguments.profile) {
    print_text(to_text(repeated.times, resident_memory()));
    print_text(to_text(time_table(file, runner.method(), runner.variant(), profiler), "us"));
  }
  if (info.on_vulkan) vulkan.save_cache();
}

void dispatch(const std::vector<std::string>& words) {
  const auto given = [&words](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (given("--help") || given("-h")) return print_text(kUsage);
  if (given("--version")) return print("arenite-run %s\n", kVersion);
  run(parse(words));
}

int fail(const char* message, int status) {
  print_error("arenite-run", message);
  return status;
}

// `words` with what the error is about corrected, else an example.
std::string line_below(std::vector<std::string> words, const std::exception& error) {
  words.insert(words.begin(), "arenite-run");
  if (const auto* wrong = dynamic_cast<const DeviceError*>(&error)) {
    return working_line_text(replaced(words, wrong->device, "auto"));
  }
  if (const auto better = working_words(words, error); !better.empty()) {
    return working_line_text(better);
  }
  if (names_a_command(error)) return "";
  return "Try 'arenite-run --help'. " +
         example_text("arenite-run", {"model.arn", "--input", "image.npy", "--output-dir", "out"},
                      words) +
         "\n";
}

int main_with_errors(const std::vector<std::string>& words) {
  prepare_standard_streams();
  const auto tell = [&words](const std::exception& error) {
    std::fputs(line_below(words, error).c_str(), stderr);
  };
  try {
    dispatch(words);
    finish_output();
    return 0;
  } catch (const UsageError& error) {
    fail(error.what(), 2);
    std::fprintf(stderr, "%s", kUsage);
    tell(error);
    return 2;
  } catch (const OutputError& error) {
    if (error.quiet) return 1;
    fail(error.what(), 1);
    tell(error);
    return 1;
  } catch (const DeviceError& error) {
    fail(error.what(), 1);
    tell(error);
    return 1;
  } catch (const RunError& error) {
    return fail(error.what(), 1);
  } catch (const std::bad_alloc&) {
    return fail("this machine has too little memory for it", 1);
  } catch (const std::exception& error) {
    fail(error.what(), 2);
    tell(error);
    return 2;
  }
}

}  // namespace
}  // namespace arenite::tools

int main(int argc, char** argv) {
  return arenite::tools::main_with_errors({argv + 1, argv + argc});
}
// SPDX-License-Identifier: Apache-2.0

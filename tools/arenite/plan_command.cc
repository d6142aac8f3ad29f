// `arenite plan`: models in, one program file out.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "planner/plan.h"
#include "planner/program/constant_file.h"
#include "planner/report/picture/pictures.h"
#include "planner/report/shortages.h"
#include "support/file.h"
#include "support/output.h"
#include "support/printable.h"
#include "support/progress.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/emit_cc.h"
#include "tools/arenite/next_line.h"
#include "tools/arenite/plan_request.h"
#include "tools/io/tensor.h"
#include "tools/run/sources.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

struct PlanCommand {
  PlanRequest request;
  std::string output;
  EmitCc cc;
  std::string report;  // "", "text", "json", "svg" or "html"
  bool separate_constants = false;
  uint32_t signature_bytes = 0;
  std::vector<std::string> explained;  // nodes
  bool check = false;
  std::string timings, before;  // files, for --report html
  std::string line;             // the whole command, as one would type it
  std::string fit_line;         // that of `fit` for the same models
  bool json = false;
};

planner::PlanOptions options_of(const PlanCommand& command) {
  PlanRequest request = command.request;
  if (!command.cc.folder.empty() && request.boards.size() > 1) {
    throw InputError("--emit-cc: firmware is for one board; expected one --board, found " +
                     std::to_string(request.boards.size()));
  }
  if (!command.cc.folder.empty() && request.image == "harness") {
    throw InputError(
        "--emit-cc writes what an embedded image is built from; expected no --image harness");
  }
  if (!command.cc.folder.empty()) request.image = "embedded";
  planner::PlanOptions options = options_of(request);
  options.explained = command.explained;
  return options;
}

// The first model's name, here; "" where nothing is to be written.
std::string output_of(const PlanCommand& command) {
  if (command.check && !(command.output + command.cc.folder).empty()) {
    throw InputError("--check writes nothing; expected it without -o and --emit-cc");
  }
  if (command.check || !command.output.empty()) return command.output;
  const fs::path model = command.request.models.paths[0];
  if (is_stream(model)) {
    throw InputError("-o OUT.arn is needed: " + model.string() +
                     " is a stream, which gives the program no name");
  }
  return file_stem(model.stem().string()) + ".arn";
}

// Whether all that is to fit was counted.
bool is_known(const planner::PlanReport& report) {
  return std::all_of(report.program_memories.begin(), report.program_memories.end(),
                     [](const auto& memory) { return memory.is_known(); });
}

// Prints the answer of --check for models that can be planned and fit.
void print_check(const planner::PlanReport& report) {
  print("can be planned: a program of %llu bytes\n", static_cast<unsigned long long>(report.bytes));
  for (const planner::VariantReport& variant : report.variants) {
    print("method %s on board %s (%s): %u steps", variant.method.c_str(), variant.board.c_str(),
          variant.vulkan ? "vulkan" : "cpu", variant.counts.of_model());
    for (const planner::ArenaReport& arena : variant.arenas) {
      print(", %llu bytes of %s", static_cast<unsigned long long>(arena.peak_bytes),
            printable(arena.name).c_str());
    }
    print("\n");
  }
  for (const planner::RamReport& ram : report.ram) {
    const auto total = ram.total_bytes();
    if (!total) continue;
    print("board %s: %llu bytes of RAM in all, with Instance, .bss and stack\n", ram.board.c_str(),
          static_cast<unsigned long long>(*total));
  }
}

picture::PageExtras extras_of(const PlanCommand& command, std::span<const std::byte> file) {
  picture::PageExtras extras;
  extras.file = file;
  extras.command = command.line;
  extras.timings_name = command.timings;
  if (!command.timings.empty()) extras.timings = read_text(command.timings);
  extras.before_name = command.before;
  if (!command.before.empty()) extras.before = read_text(command.before);
  return extras;
}

// `output` and `file` are empty where no program was written.
void print_result(const PlanCommand& command, const planner::PlanReport& report,
                  const std::string& output, std::span<const std::byte> file) {
  if (command.json || command.report == "json") {
    return print_text(planner::to_json(report, output) + "\n");
  }
  for (const std::string& note : report.notes) print_error("note", note);
  if (command.report == "svg") {
    print_text(picture::to_svg(report, output));
  } else if (command.report == "html") {
    print_text(picture::to_html(report, output, extras_of(command, file)));
  } else if (command.report == "text") {
    print_text(planner::to_text(report));
  } else if (command.check && report.shortages.empty()) {
    print_check(report);
  } else if (!output.empty() && !is_standard_output(output)) {
    print("%s: %llu bytes\n", output.c_str(), static_cast<unsigned long long>(report.bytes));
  }
  if (command.report != "text" && !command.explained.empty()) {
    print_text(planner::explained_text(report));
  }
}

// The report that was asked for is what shows where it does not fit.
int print_misfit(const PlanCommand& command, const planner::PlanReport& report) {
  print_result(command, report, "", {});
  // A report in text has the advice.
  const std::string text = command.report == "text" ? planner::text_of(report.shortages) + "\n"
                                                    : planner::explained_text(report.shortages);
  print_error("arenite", text);
  std::fputs(next_line_text(command.fit_line).c_str(), stderr);
  return kFailed;
}

// A program in the place of its own model would be all that is left of it.
void check_sources_stay(const PlanCommand& command, const std::string& output) {
  Sources sources;
  add_models(sources, command.request.models.paths);
  sources.add(command.request.models.options.fixed);
  sources.add(command.request.boards);
  sources.add(command.request.constraints);
  sources.check("-o", output);
}

planner::PlanResult plan_models(const PlanCommand& command, planner::PlanOptions options,
                                const std::string& output) {
  Progress progress("plan");
  options.progress = progress.hook();
  const std::vector<planner::NamedGraph> graphs =
      import_models(command.request.models, options.progress);
  // Now that they are models: what is none has an error of its own.
  check_sources_stay(command, output);
  return plan_with_advice(graphs, options);
}

// A picture has no place for the explanation, and a program none beside it on standard output.
void check_explained(const PlanCommand& command, const std::string& output) {
  if (command.explained.empty()) return;
  if (is_standard_output(output)) {
    throw InputError("-o " + output + " and --explain would both write to standard output");
  }
  if (command.report == "svg" || command.report == "html") {
    throw InputError("--explain: expected --report text or json, or none; found " + command.report);
  }
}

// They are shown on the page alone.
void check_page_options(const PlanCommand& command) {
  if (command.report == "html") return;
  const char* given = !command.timings.empty()  ? "--timings"
                      : !command.before.empty() ? "--before"
                                                : nullptr;
  if (given != nullptr) throw InputError(std::string(given) + ": for --report html");
}

void check_parts(const PlanCommand& command, const std::string& output) {
  if (command.separate_constants && (!command.cc.folder.empty() || is_stream(output))) {
    throw InputError(
        "--separate-constants writes a second file beside the program; expected -o with a file, "
        "and "
        "no --emit-cc");
  }
}

// Writes the program, and its constants beside it where they are to be a file of their own.
void write_program(const PlanCommand& command, planner::PlanResult& result,
                   const std::string& output) {
  if (command.separate_constants) {
    planner::SplitProgram split = planner::split_constants(result.program);
    if (split.constants.has_value()) {
      write_file((fs::path(output).parent_path() / split.constants->name).string(),
                 split.constants->bytes);
      result.report.notes.push_back("constants: " + split.constants->name + ", " +
                                    std::to_string(split.constants->bytes.size()) +
                                    " bytes, which belongs beside the program");
    }
    result.program = std::move(split.program);
  }
  if (command.signature_bytes != 0) {
    result.program = planner::with_signature(result.program, command.signature_bytes);
  }
  result.report.bytes = result.program.size();
  write_file(output, result.program);
}

int run_plan(const PlanCommand& command) {
  const std::string output = output_of(command);
  check_output(output, command.json, command.report, false);
  check_explained(command, output);
  check_parts(command, output);
  check_page_options(command);
  const planner::PlanOptions options = options_of(command);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  try {
    planner::PlanResult result = plan_models(command, options, output);
    result.report.seconds = seconds();
    if (!command.check) write_program(command, result, output);
    if (!command.cc.folder.empty()) {
      emit_cc(command.cc, command.request.models.paths[0], options.boards[0], result.program);
    }
    print_result(command, result.report, output,
                 command.check ? std::span<const std::byte>() : result.program);
    // A memory whose contents are not known does not count as fitting.
    return command.check && !is_known(result.report) ? kFailed : kDone;
  } catch (planner::DoesNotFitError& error) {
    error.report.seconds = seconds();
    return print_misfit(command, error.report);
  }
}

std::function<int()> declare_plan(Options& options) {
  const auto plan = std::make_shared<PlanCommand>();
  add_plan_request(options, plan->request);
  add_output(options, plan->output,
             "Program file; - is standard output (default: the first model's name, here)")
      .value_name("OUT.arn");
  options
      .add("--emit-cc", plan->cc.folder,
           "Write the program as C++ for firmware to this folder: NAME.h, NAME.cc, NAME.ld, "
           "NAME.sources; NAME_c.h, NAME_c.cc for C (docs/firmware.md)")
      .value_name("DIR");
  options
      .add("--cc-name", plan->cc.name,
           "Namespace and files of --emit-cc (default: the first model's file name)")
      .value_name("NAME");
  options
      .add("--cc-data", plan->cc.data,
           "array: the bytes are in the C++ source; incbin: in NAME.arn beside it, which the "
           "assembler reads; auto: incbin above 64 KiB")
      .value_name("KIND")
      .one_of({"auto", "array", "incbin"})
      .shows_default();
  options.add("--separate-constants", plan->separate_constants,
              "Write the constants to a file of their own beside the program, named by what it "
              "holds, which programs with the same constants share");
  options
      .add("--signature-bytes", plan->signature_bytes,
           "Leave as many zero bytes at the end of the program for a signature of all bytes before "
           "them (docs/format.md)")
      .value_name("N");
  options.add("--check", plan->check,
              "Write nothing: tell whether the models can be planned and fit, and all that stands "
              "in the way");
  options
      .add("--explain", plan->explained,
           "Tell what a node of the models could be planned for (CPU forms, shaders), at which "
           "cost, "
           "what was taken and why; give it for several nodes")
      .value_name("NODE");
  add_report(options, plan->report);
  options
      .add("--timings", plan->timings,
           "With --report html: show what each step took, from what bench --json, run --profile "
           "--json or target bench --profile --json printed to this file")
      .value_name("FILE");
  options
      .add("--before", plan->before,
           "With --report html: show what changed since the plan of this page, which --report "
           "html wrote earlier")
      .value_name("PAGE");
  add_json(options, plan->json);
  return [plan, &options] {
    plan->line = options.command_line();
    plan->fit_line = line_of(options, kFitCommand);
    return run_plan(*plan);
  };
}

}  // namespace

const Command kPlanCommand = {
    .name = "plan",
    .summary = "Turn models into one program file",
    .examples =
        "arenite plan model.onnx -o model.arn --report text\n"
        "arenite plan model.onnx --board host --board mps3-an547\n"
        "arenite plan model.onnx --shape image=1,3,224,224 --report html > plan.html\n"
        "arenite plan model.onnx --board mps3-an547 -o model.arn --emit-cc firmware\n"
        "arenite plan model.onnx --report html --timings bench.json --before old.html > new.html\n"
        "arenite plan model.onnx --explain Conv_12\n"
        "arenite plan model.onnx --check",
    .declare = declare_plan,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

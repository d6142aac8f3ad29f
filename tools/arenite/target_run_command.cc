// `arenite target run`: runs a program on a board, or in its emulator.

#include <algorithm>

#include "planner/board/board.h"
#include "support/output.h"
#include "support/printable.h"
#include "support/progress.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/input_files.h"
#include "tools/arenite/json.h"
#include "tools/arenite/labels.h"
#include "tools/arenite/program_or_model.h"
#include "tools/arenite/step_costs.h"
#include "tools/arenite/target_board.h"
#include "tools/run/method_choice.h"
#include "tools/run/results.h"
#include "tools/run/runner.h"
#include "tools/run/sources.h"
#include "tools/run/tensor_args.h"
#include "tools/target/embedded_run.h"
#include "tools/target/launch.h"
#include "tools/target/target.h"

namespace arenite::tools {
namespace {

struct TargetRunCommand {
  std::string program;
  BoardArguments board;
  std::string image = "harness";
  bool without_verifier = false;
  ModelOptions model;
  InputArguments inputs;
  std::string output_dir;
  LabelArguments labels;
  std::string method;
  bool count_memory = false;
  bool profile = false;
  uint32_t pause_operations = 0;
  bool verbose = false;
  bool json = false;
};

unsigned long long number(uint64_t value) { return value; }

// "arenas 11520 + instance 488", but for what is nothing.
std::string sum_text(const std::vector<ImageParts::Part>& parts) {
  std::string text;
  for (const ImageParts::Part& part : parts) {
    if (part.bytes == 0) continue;
    text += (text.empty() ? "" : " + ") + part.name + " " + std::to_string(part.bytes);
  }
  return text;
}

// What an embedded image takes of flash and RAM.
void print_parts(const ImageParts& parts, uint64_t stack, bool verbose) {
  print("flash: %s; code %llu bytes in all\n", sum_text(parts.flash).c_str(),
        number(parts.code_bytes()));
  print("RAM: %s + stack %llu = %llu bytes; with the stack's bound of %llu, %llu\n",
        sum_text(parts.ram).c_str(), number(stack), number(parts.ram_bytes() + stack),
        number(parts.stack_bound_bytes), number(parts.ram_bytes() + parts.stack_bound_bytes));
  print("variables of the board's start-up: %llu bytes\n", number(parts.board_ram_bytes));
  if (!verbose) return;
  print("deepest calls, with the stack from there:\n");
  for (const ImageParts::Call& call : parts.stack_chain) {
    print("%8llu  %s\n", number(call.bytes), call.function.c_str());
  }
}

void print_image(const TargetResult& result) {
  print("image: text %llu, data %llu, bss %llu bytes (%s)\n", number(result.text_bytes),
        number(result.data_bytes), number(result.bss_bytes), result.elf.c_str());
}

void print_report(const TargetReport& report, bool verbose) {
  const TargetTaskResult& task = report.result.tasks[0];
  print("board %s\n", report.board.c_str());
  if (verbose) print("started as: %s\n", report.result.command.c_str());
  print("%u steps: %u on CPU, %u views\n", report.info.counts.of_model(), report.info.counts.cpu,
        report.info.counts.views);
  for (const RunInfo::Arena& arena : report.info.arenas) {
    print("arena %s: %u bytes\n", printable(arena.name).c_str(), arena.bytes);
  }
  for (const MemoryTraffic& memory : report.result.memories) {
    print("moved in %s: %llu bytes read, %llu written\n", printable(memory.name).c_str(),
          number(memory.read_bytes), number(memory.written_bytes));
  }
  if (report.result.link.sent_again != 0 || report.result.link.damaged != 0) {
    print("line: %llu requests, %llu sent again; %llu frames arrived damaged\n",
          number(report.result.link.requests), number(report.result.link.sent_again),
          number(report.result.link.damaged));
  }
  if (report.result.in_emulator) print_image(report.result);
  if (report.parts) {
    print_parts(*report.parts, std::max(task.load_stack_bytes, task.run_stack_bytes), verbose);
  }
  print("stack: %llu bytes to load, %llu to run\n", number(task.load_stack_bytes),
        number(task.run_stack_bytes));
  for (const OutputLine& output : report.outputs) print_text(to_text(output));
  if (report.top) print_text(to_text(*report.top));
  print("%llu %s to load; %llu to run %llu time(s)\n", number(task.load_instructions),
        report.result.counts_instructions ? "instructions" : "ns",
        number(report.result.instructions), number(task.runs));
  if (report.result.cycles != 0) {
    print("about %llu cycles to load; %llu to run, an estimate without wait states\n",
          number(task.load_cycles), number(report.result.cycles));
  }
  if (report.has_pauses) {
    print("%llu calls inside steps, at most %llu instructions from one to the next\n",
          number(report.result.pauses), number(report.result.greatest_gap));
  }
  if (report.profile) print_text(to_text(*report.profile, "instructions"));
}

int run_target_run(const TargetRunCommand& command) {
  const planner::Board board = find_target_board(command.board);
  const bool embedded = command.image == "embedded";
  if (command.without_verifier && !embedded) {
    throw InputError("--without-verifier is about an embedded image: give --image embedded too");
  }
  if (embedded && !command.board.options().place.in_emulator()) {
    throw InputError(
        "--image embedded: it is built for the emulator; a board on a line (--port, --exec) has "
        "the "
        "harness");
  }
  const auto opened =
      open_program_or_model(command.program, command.model, {command.board.board, command.image});
  const ProgramFile& file = *opened;
  TargetTask task;
  const std::string method = method_for(file, command.method, command.inputs.files);
  task.method = file.find_method(method);
  const uint32_t variant = find_target_variant(file, task.method, board);
  // The program is loaded here first, so that its errors, and those of the inputs, come before
  // anything starts. What is for forms of the board alone is not for this machine.
  if (host_cpu_meets(file, task.method, variant)) {
    const Runner here(file, {parse_device("cpu"), board.name, 1, method}, nullptr);
  }
  task.inputs = bind_inputs(file, task.method, read_inputs(file, task.method, command.inputs));
  const std::optional<Labels> labels = read_labels(file, task.method, command.labels);

  TargetReport report;
  report.board = board.name;
  report.info = info_of_variant(file, task.method, variant);
  {
    Progress progress("board " + board.name);
    TargetOptions options = command.board.options();
    options.count_memory = command.count_memory;
    options.profile_steps = command.profile;
    options.pause_operations = command.pause_operations;
    options.progress = progress.hook();
    if (embedded) {
      EmbeddedResult result = run_embedded(board, file, task, command.without_verifier, options);
      report.result = std::move(result.run);
      report.parts = std::move(result.parts);
    } else {
      report.result = run_on_target(board, file, {&task, 1}, options);
    }
  }
  if (!task.inputs.stacked) keep_results(file, task.method, report.result.tasks[0].outputs);
  Sources sources;
  sources.add(command.program);
  sources.add(command.board.board);
  sources.add(command.labels.file);
  sources.add(command.inputs.files);
  report.outputs =
      write_outputs(file, task.method, report.result.tasks[0].outputs, command.output_dir, sources);
  if (labels) {
    report.top = top_classes(file, task.method, *labels, report.result.tasks[0].outputs,
                             static_cast<uint32_t>(report.result.tasks[0].runs));
  }
  if (command.profile) report.profile = step_costs(file, task.method, board, report.result);
  report.has_pauses = command.pause_operations != 0;
  report.begin_symbol = kRunBeginSymbol;
  report.end_symbol = kRunEndSymbol;
  if (command.json) {
    print_text(to_json(report) + "\n");
  } else {
    print_report(report, command.verbose);
  }
  return kDone;
}

std::function<int()> declare_target_run(Options& options) {
  const auto target = std::make_shared<TargetRunCommand>();
  options.add("PROGRAM", target->program, "Program, or a model, which is planned for the board")
      .required();
  add_board(options, target->board);
  options
      .add("--image", target->image,
           "harness: the image that receives any program; embedded: one that is built for this "
           "program alone, as firmware, whose flash and RAM are told by their parts")
      .value_name("IMAGE")
      .one_of({"embedded", "harness"})
      .shows_default();
  options.add("--without-verifier", target->without_verifier,
              "Leave the proofs of loading out of an embedded image (docs/firmware.md)");
  add_model_options(options, target->model);
  add_state_options(options, target->model);
  add_inputs(options, target->inputs);
  add_output_dir(options, target->output_dir);
  add_labels(options, target->labels);
  add_method(options, target->method);
  options.add("--count-memory", target->count_memory,
              "Also count the bytes moved in each arena (several times slower)");
  options.add("--profile", target->profile, "Tell the instructions of each step, dearest first");
  options
      .add("--pause-operations", target->pause_operations,
           "Call a function inside steps after at most so many operations, and tell the most "
           "instructions between two calls")
      .value_name("N")
      .range(1, UINT32_MAX);
  options.add("-v,--verbose", target->verbose, "Also show how the emulator was started");
  add_json(options, target->json);
  return [target] { return run_target_run(*target); };
}

}  // namespace

const Command kTargetRunCommand = {
    .name = "target run",
    .summary = "Run a program on a board, or its emulator",
    .examples =
        "arenite target run model.arn --board mps3-an547 --input image.npy --output-dir out\n"
        "arenite target run model.arn --board mps3-an547 --input photo.jpg --resize --labels "
        "names.txt",
    .declare = declare_target_run,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// `arenite plan`: models in, one program file out.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>

#include "planner/advice.h"
#include "planner/import/model.h"
#include "planner/obstacles.h"
#include "planner/picture/pictures.h"
#include "planner/plan.h"
#include "planner/report/shortages.h"
#include "planner/schedule/lowering.h"
#include "support/output.h"
#include "support/progress.h"
#include "support/suggest.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/emit_cc.h"
#include "tools/io/tensor.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

struct PlanCommand {
  std::vector<std::string> models;
  std::vector<std::string> boards;
  std::vector<std::string> shapes;  // INPUT=1,3,224,224
  std::vector<std::string> dims;    // NAME=N
  std::string memory_planner{memory::name_of(memory::kDefaultAlgorithm)};
  std::vector<std::string> disabled_passes;
  std::string fallback = "reserve";
  std::string io = "planned";
  std::string constants = "in_place";
  std::string optimize;  // "speed", "memory", or empty: by the board
  std::string constraints;
  std::string output;
  EmitCc cc;
  std::string image;   // "embedded", "harness", or empty: by --emit-cc, or all that a board has
  std::string report;  // "", "text", "json", "svg" or "html"
  bool check = false;
  bool json = false;
};

uint32_t parse_dim(const std::string& option, const std::string& text) {
  uint32_t dim = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dim);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
    throw InputError(option + ": expected a whole number, found '" + text + "'");
  }
  return dim;
}

// "NAME=1,3,224,224"; "NAME=" is a scalar. A name may hold '='; numbers don't.
void add_shape(const std::string& text, planner::ImportOptions& options) {
  const size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0) {
    throw InputError("--shape " + text + ": expected INPUT=1,3,224,224");
  }
  std::vector<uint32_t> dims;
  for (size_t begin = at + 1; begin < text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    dims.push_back(parse_dim("--shape " + text, text.substr(begin, comma - begin)));
    begin = comma + 1;
    if (comma + 1 == text.size()) throw InputError("--shape " + text + ": ends in a comma");
  }
  options.shapes[text.substr(0, at)] = std::move(dims);
}

void add_dim(const std::string& text, planner::ImportOptions& options) {
  const size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0) throw InputError("--dim " + text + ": expected NAME=N");
  options.dims[text.substr(0, at)] = parse_dim("--dim " + text, text.substr(at + 1));
}

// The part of `given` that is about this model; with one model all of it, so that the importer can
// say what is wrong. `used` collects what was about some model.
planner::ImportOptions options_for(const planner::ImportOptions& given,
                                   std::span<const std::byte> bytes, planner::ImportOptions& used) {
  planner::ImportOptions options;
  const planner::Model model = planner::read_model(bytes);
  for (const planner::ModelInput& input : model.inputs) {
    const auto shape = given.shapes.find(input.name);
    if (shape != given.shapes.end()) options.shapes.insert(*shape);
    for (const planner::ModelDim& dim : input.dims) {
      const auto number = given.dims.find(dim.symbol);
      if (number != given.dims.end()) options.dims.insert(*number);
    }
  }
  used.shapes.insert(options.shapes.begin(), options.shapes.end());
  used.dims.insert(options.dims.begin(), options.dims.end());
  return options;
}

void check_all_used(const planner::ImportOptions& given, const planner::ImportOptions& used) {
  for (const auto& [name, dims] : given.shapes) {
    if (!used.shapes.contains(name)) {
      throw InputError("--shape names input '" + name + "', which no model has");
    }
  }
  for (const auto& [name, number] : given.dims) {
    if (!used.dims.contains(name)) {
      throw InputError("--dim names dimension '" + name + "', which no model has");
    }
  }
}

planner::Graph import_model(std::span<const std::byte> bytes, const planner::ImportOptions& options,
                            std::span<const std::string> disabled_passes) {
  planner::Graph graph = planner::import_onnx(bytes, options);
  planner::optimise(graph, disabled_passes);
  return graph;
}

// Methods are called by their model's file name; one alone is "main".
std::vector<planner::NamedGraph> import_models(const PlanCommand& command,
                                               const ProgressHook& progress) {
  planner::ImportOptions given, used;
  for (const std::string& shape : command.shapes) add_shape(shape, given);
  for (const std::string& dim : command.dims) add_dim(dim, given);
  const planner::PassSwitches switches = planner::switches_of(command.disabled_passes);
  std::vector<planner::NamedGraph> graphs;
  std::vector<planner::Obstacle> obstacles;  // of all models
  std::set<std::string> names;
  const bool alone = command.models.size() == 1;
  for (const std::string& path : command.models) {
    if (fs::path(path).extension() == ".tflite") {
      throw InputError(path + ": TensorFlow Lite models are not supported; expected an ONNX model");
    }
    const std::string stem = file_stem(fs::path(path).stem().string());
    std::string method = alone ? "main" : stem;
    for (uint32_t n = 2; !names.insert(method).second; ++n) {
      method = stem + "_" + std::to_string(n);
    }
    tell(progress, "reading " + path, graphs.size(), command.models.size());
    const std::vector<std::byte> bytes = read_file(path);
    try {
      const planner::ImportOptions options = alone ? given : options_for(given, bytes, used);
      graphs.push_back(
          {std::move(method), import_model(bytes, options, switches.graph_disabled), {}});
    } catch (const planner::ObstaclesError& error) {
      for (planner::Obstacle obstacle : error.obstacles) {
        obstacle.model = path;
        obstacles.push_back(std::move(obstacle));
      }
    } catch (const InputError& error) {
      throw InputError(path + ": " + error.what());
    }
  }
  if (!obstacles.empty()) throw planner::ObstaclesError(std::move(obstacles));
  if (!alone) check_all_used(given, used);
  return graphs;
}

planner::PlanOptions options_of(const PlanCommand& command) {
  planner::PlanOptions options;
  const std::vector<std::string> boards =
      command.boards.empty() ? std::vector<std::string>{"host"} : command.boards;
  if (!command.cc.folder.empty() && boards.size() != 1) {
    throw InputError("--emit-cc: firmware is for one board; expected one --board, found " +
                     std::to_string(boards.size()));
  }
  for (const std::string& board : boards) options.boards.push_back(planner::find_board(board));
  options.memory_planner = *memory::find_algorithm(command.memory_planner);
  options.disabled_passes = command.disabled_passes;
  if (!command.cc.folder.empty() && command.image == "harness") {
    throw InputError(
        "--emit-cc writes what an embedded image is built from; expected no --image "
        "harness");
  }
  options.image = command.cc.folder.empty() ? command.image : "embedded";
  options.reserve_fallback = command.fallback == "reserve";
  options.caller_io = command.io == "caller";
  options.near_constants = command.constants == "near";
  if (!command.optimize.empty()) {
    options.optimize =
        command.optimize == "speed" ? planner::Optimize::kSpeed : planner::Optimize::kMemory;
  }
  if (!command.constraints.empty()) {
    options.constraints =
        memory::read_constraints(read_text(command.constraints), command.constraints);
  }
  return options;
}

// The first model's name, here; "" where nothing is to be written.
std::string output_of(const PlanCommand& command) {
  if (command.check && !(command.output + command.cc.folder).empty()) {
    throw InputError("--check writes nothing; expected it without -o and --emit-cc");
  }
  if (command.check || !command.output.empty()) return command.output;
  const fs::path model = command.models[0];
  if (is_stream(model)) {
    throw InputError("-o OUT.arn is needed: " + model.string() +
                     " is a stream, which gives the program no name");
  }
  return file_stem(model.stem().string()) + ".arn";
}

// What --check says of models that can be planned and fit.
void print_check(const planner::PlanReport& report) {
  print("can be planned: a program of %llu bytes\n", static_cast<unsigned long long>(report.bytes));
  for (const planner::VariantReport& variant : report.variants) {
    print("method %s on board %s (%s): %u steps", variant.method.c_str(), variant.board.c_str(),
          variant.vulkan ? "vulkan" : "cpu", variant.steps);
    for (const planner::ArenaReport& arena : variant.arenas) {
      print(", %llu bytes of %s", static_cast<unsigned long long>(arena.peak_bytes),
            arena.name.c_str());
    }
    print("\n");
  }
}

// `output` is empty where no program was written.
void print_result(const PlanCommand& command, const planner::PlanReport& report,
                  const std::string& output) {
  if (command.json || command.report == "json") {
    return print_text(planner::to_json(report, output) + "\n");
  }
  for (const std::string& note : report.notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  if (command.report == "svg") {
    print_text(picture::to_svg(report, output));
  } else if (command.report == "html") {
    print_text(picture::to_html(report, output));
  } else if (command.report == "text") {
    print_text(planner::to_text(report));
  } else if (command.check && report.shortages.empty()) {
    print_check(report);
  } else if (!output.empty() && !is_standard_output(output)) {
    print("%s: %llu bytes\n", output.c_str(), static_cast<unsigned long long>(report.bytes));
  }
}

// The report that was asked for is what shows where it does not fit.
int print_misfit(const PlanCommand& command, const planner::PlanReport& report) {
  print_result(command, report, "");
  // A report in text has the advice.
  const std::string text = command.report == "text" ? planner::text_of(report.shortages) + "\n"
                                                    : planner::explained_text(report.shortages);
  std::fprintf(stderr, "arenite: %s", text.c_str());
  return kFailed;
}

// What does not fit is thrown with advice.
planner::PlanResult plan_models(const PlanCommand& command, planner::PlanOptions options) {
  Progress progress("plan");
  options.progress = progress.hook();
  const std::vector<planner::NamedGraph> graphs = import_models(command, options.progress);
  try {
    return planner::plan_graphs(graphs, options);
  } catch (planner::DoesNotFitError& error) {
    planner::add_advice(graphs, options, error.report);
    throw;
  }
}

int run_plan(const PlanCommand& command) {
  const std::string output = output_of(command);
  check_output(output, command.json, command.report, false);
  const planner::PlanOptions options = options_of(command);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  try {
    planner::PlanResult result = plan_models(command, options);
    result.report.seconds = seconds();
    if (!command.check) write_file(output, result.program);
    if (!command.cc.folder.empty()) {
      emit_cc(command.cc, command.models[0], options.boards[0], result.program);
    }
    print_result(command, result.report, output);
    return kDone;
  } catch (planner::DoesNotFitError& error) {
    error.report.seconds = seconds();
    return print_misfit(command, error.report);
  }
}

std::function<int()> declare(Options& options) {
  const auto plan = std::make_shared<PlanCommand>();
  const auto all = memory::algorithm_names();
  const std::vector<std::string> algorithms(all.begin(), all.end());
  options.add("MODEL", plan->models, "ONNX models; each becomes a method").required();
  options
      .add("--board", plan->boards,
           "Board to plan for, by name or file; give several for a variant each (default: host)")
      .value_name("NAME|FILE");
  options.add("--shape", plan->shapes, "Shape of an input").value_name("INPUT=1,3,224,224");
  options.add("--dim", plan->dims, "Value of a symbolic dimension").value_name("NAME=N");
  options
      .add("--memory-planner", plan->memory_planner,
           "How tensors are placed: " + listed(algorithms))
      .value_name("NAME")
      .one_of(algorithms)
      .shows_default();
  options
      .add("--fallback", plan->fallback,
           "reserve: keep what a rerun on the CPU needs when a device is lost; none: reuse its "
           "bytes")
      .value_name("KIND")
      .one_of({"reserve", "none"})
      .shows_default();
  options
      .add("--optimize", plan->optimize,
           "speed: on the CPU no step runs on one thread, and nothing is copied, to save bytes; "
           "memory: fewest bytes (default: memory where a memory of the board has a limit)")
      .value_name("KIND")
      .one_of({"speed", "memory"});
  options
      .add("--constraints", plan->constraints,
           "Tensors to bar from memories, to pin or to tie together, on the CPU "
           "(docs/constraints.md)")
      .value_name("FILE");
  options
      .add("--io", plan->io,
           "planned: inputs and outputs lie in the arenas; caller: on the CPU they take no arena "
           "bytes, the application binds its own memory to them")
      .value_name("KIND")
      .one_of({"planned", "caller"})
      .shows_default();
  options
      .add("--constants", plan->constants,
           "in_place: read where they are stored; near: those that a step reads again and again "
           "are copied, once a run, into what is left free of the board's first memory")
      .value_name("KIND")
      .one_of({"in_place", "near"})
      .shows_default();
  options
      .add("--disable", plan->disabled_passes,
           "Leave out a pass of the planner; a wrong name lists them all")
      .value_name("PASS");
  add_output(options, plan->output,
             "Program file; - is standard output (default: the first model's name, here)")
      .value_name("OUT.arn");
  options
      .add("--emit-cc", plan->cc.folder,
           "Write the program as C++ for firmware to this folder: NAME.h, NAME.cc, NAME.ld "
           "(docs/firmware.md)")
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
  options.add("--check", plan->check,
              "Write nothing: tell whether the models can be planned and fit, and all that stands "
              "in the way");
  options
      .add("--image", plan->image,
           "The image that is to hold the program: embedded (with code, in flash) or harness (in "
           "its "
           "store) (default: embedded with --emit-cc, else each that the board has)")
      .value_name("IMAGE")
      .one_of({"embedded", "harness"});
  add_report(options, plan->report);
  add_json(options, plan->json);
  return [plan] { return run_plan(*plan); };
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
        "arenite plan model.onnx --check",
    .declare = declare,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

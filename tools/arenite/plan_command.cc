// `arenite plan`: models in, one program file out.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>

#include "planner/emit/cc_source.h"
#include "planner/import/model.h"
#include "planner/plan.h"
#include "planner/schedule/lowering.h"
#include "tools/arenite/commands.h"
#include "tools/io/tensor.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

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
std::vector<planner::NamedGraph> import_models(const PlanCommand& command) {
  planner::ImportOptions given, used;
  for (const std::string& shape : command.shapes) add_shape(shape, given);
  for (const std::string& dim : command.dims) add_dim(dim, given);
  const planner::PassSwitches switches = planner::switches_of(command.disabled_passes);
  std::vector<planner::NamedGraph> graphs;
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
    const std::vector<std::byte> bytes = read_file(path);
    try {
      const planner::ImportOptions options = alone ? given : options_for(given, bytes, used);
      graphs.push_back(
          {std::move(method), import_model(bytes, options, switches.graph_disabled), {}});
    } catch (const planner::InputError& error) {
      throw InputError(path + ": " + error.what());
    }
  }
  if (!alone) check_all_used(given, used);
  return graphs;
}

void write_cc(const fs::path& folder, std::span<const std::byte> program) {
  const planner::CcSource source = planner::cc_source(program);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError("--emit-cc " + folder.string() + ": " + error.message());
  write_file(folder / "program.h", std::as_bytes(std::span(source.header)));
  write_file(folder / "program.cc", std::as_bytes(std::span(source.source)));
}

memory::Constraints constraints_of(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return memory::read_constraints(text, path);
}

}  // namespace

int run_plan(const PlanCommand& command) {
  planner::PlanOptions options;
  const std::vector<std::string> boards =
      command.boards.empty() ? std::vector<std::string>{"host"} : command.boards;
  if (!command.emit_cc.empty() && boards.size() != 1) {
    throw InputError("--emit-cc: firmware is for one board; expected one --board, found " +
                     std::to_string(boards.size()));
  }
  for (const std::string& board : boards) options.boards.push_back(planner::find_board(board));
  options.memory_planner = *memory::find_algorithm(command.memory_planner);
  options.disabled_passes = command.disabled_passes;
  options.reserve_fallback = command.fallback == "reserve";
  options.caller_io = command.io == "caller";
  options.near_constants = command.constants == "near";
  if (!command.optimize.empty()) {
    options.optimize =
        command.optimize == "speed" ? planner::Optimize::kSpeed : planner::Optimize::kMemory;
  }
  if (!command.constraints.empty()) options.constraints = constraints_of(command.constraints);
  const auto start = std::chrono::steady_clock::now();
  planner::PlanResult result = planner::plan_graphs(import_models(command), options);
  result.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const std::string output = command.output.empty()
                                 ? file_stem(fs::path(command.models[0]).stem().string()) + ".arn"
                                 : command.output;
  write_file(output, result.program);
  if (!command.emit_cc.empty()) write_cc(command.emit_cc, result.program);
  if (command.json || command.report == "json") {
    std::printf("%s\n", planner::to_json(result.report, output).c_str());
    return kDone;
  }
  for (const std::string& note : result.report.notes) {
    std::fprintf(stderr, "note: %s\n", note.c_str());
  }
  if (command.report == "svg") {
    std::printf("%s", planner::to_svg(result.report).c_str());
  } else if (command.report == "html") {
    std::printf("%s", planner::to_html(result.report, output).c_str());
  } else if (command.report == "text") {
    std::printf("%s", planner::to_text(result.report).c_str());
  } else {
    std::printf("%s: %llu bytes\n", output.c_str(),
                static_cast<unsigned long long>(result.report.bytes));
  }
  return kDone;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// Reads models with the shapes that were given for them.
#include "tools/arenite/import_models.h"

#include <charconv>
#include <map>
#include <set>

#include "planner/import/model.h"
#include "planner/obstacles.h"
#include "planner/peak/reduction.h"
#include "support/file.h"
#include "support/quote.h"
#include "tools/io/tensor.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

uint32_t parse_dim(const std::string& option, const std::string& text) {
  uint32_t dim = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dim);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
    throw InputError(option + ": expected a whole number, found " + quote(text));
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
      throw InputError("--shape names input " + quote(name) + ", which no model has");
    }
  }
  for (const auto& [name, number] : given.dims) {
    if (!used.dims.contains(name)) {
      throw InputError("--dim names dimension " + quote(name) + ", which no model has");
    }
  }
}

planner::Graph import_model(std::span<const std::byte> bytes, const planner::ImportOptions& options,
                            std::span<const std::string> disabled_passes,
                            const std::string& weights) {
  planner::Graph graph = planner::import_onnx(bytes, options);
  planner::optimise(graph, disabled_passes);
  if (weights == "fp32") planner::store_weights(graph, DType::kFloat32);
  if (weights == "fp16") planner::store_weights(graph, DType::kFloat16);
  if (weights == "bf16") planner::store_weights(graph, DType::kBfloat16);
  return graph;
}

}  // namespace

void add_shapes(Options& options, ModelArguments& arguments) {
  options.add("--shape", arguments.shapes, "Shape of an input").value_name("INPUT=1,3,224,224");
  options.add("--dim", arguments.dims, "Value of a symbolic dimension").value_name("NAME=N");
}

std::vector<planner::NamedGraph> import_models(const ModelArguments& arguments,
                                               const ProgressHook& progress) {
  planner::ImportOptions given, used;
  for (const std::string& shape : arguments.shapes) add_shape(shape, given);
  for (const std::string& dim : arguments.dims) add_dim(dim, given);
  const planner::PassSwitches switches = planner::switches_of(arguments.disabled_passes);
  std::vector<planner::NamedGraph> graphs;
  std::vector<planner::Obstacle> obstacles;  // of all models
  std::set<std::string> names;
  const bool alone = arguments.paths.size() == 1;
  for (const std::string& path : arguments.paths) {
    if (fs::path(path).extension() == ".tflite") {
      throw InputError(path + ": TensorFlow Lite models are not supported; expected an ONNX model");
    }
    const std::string stem = file_stem(fs::path(path).stem().string());
    std::string method = alone ? "main" : stem;
    for (uint32_t n = 2; !names.insert(method).second; ++n) {
      method = stem + "_" + std::to_string(n);
    }
    tell(progress, "reading " + path, graphs.size(), arguments.paths.size());
    const std::vector<std::byte> bytes = read_file(path);
    try {
      const planner::ImportOptions options = alone ? given : options_for(given, bytes, used);
      graphs.push_back({std::move(method),
                        import_model(bytes, options, switches.graph_disabled, arguments.weights),
                        {}});
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

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// Reads models with the shapes that were given for them.
#include "tools/arenite/import_models.h"

#include <charconv>
#include <map>
#include <set>

#include "planner/import.h"
#include "planner/io_type.h"
#include "planner/obstacles.h"
#include "planner/peak/reduction.h"
#include "support/file.h"
#include "support/printable.h"
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
  options.is_tflite = given.is_tflite;
  const planner::OpenNames open = planner::open_names(bytes, given.is_tflite);
  for (const auto& shape : given.shapes) {
    if (open.inputs.contains(shape.first)) options.shapes.insert(shape);
  }
  for (const auto& number : given.dims) {
    if (open.dims.contains(number.first)) options.dims.insert(number);
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

void store_weights_as(const std::string& type, planner::Graph& graph) {
  if (type == "fp32") planner::store_weights(graph, DType::kFloat32);
  if (type == "fp16") planner::store_weights(graph, DType::kFloat16);
  if (type == "bf16") planner::store_weights(graph, DType::kBfloat16);
}

planner::IoType io_type_of(const std::string& type) {
  if (type == "float") return planner::IoType::kFloat;
  return type == "native" ? planner::IoType::kNative : planner::IoType::kModel;
}

// The names that a program's methods have: "main" for the only one of the only model.
class MethodNames {
 public:
  std::string give(const std::string& wanted) {
    std::string name = wanted;
    for (uint32_t n = 2; !names_.insert(name).second; ++n) name = wanted + "_" + std::to_string(n);
    return name;
  }

 private:
  std::set<std::string> names_;
};

// Of the model's own name for a method, "" where it has one only.
std::string wanted_name(const std::string& stem, const std::string& own, bool alone) {
  if (alone) return own.empty() ? "main" : own;
  return own.empty() ? stem : stem + "_" + own;
}

}  // namespace

void add_shapes(Options& options, ModelArguments& arguments) {
  options.add("--shape", arguments.shapes, "Shape of an input").value_name("INPUT=1,3,224,224");
  options.add("--dim", arguments.dims, "Value of a symbolic dimension").value_name("NAME=N");
}

planner::ImportOptions import_options(const ModelArguments& arguments) {
  planner::ImportOptions options;
  for (const std::string& shape : arguments.shapes) add_shape(shape, options);
  for (const std::string& dim : arguments.dims) add_dim(dim, options);
  return options;
}

std::vector<planner::NamedGraph> import_models(const ModelArguments& arguments,
                                               const ProgressHook& progress) {
  planner::ImportOptions given = import_options(arguments), used;
  const planner::PassSwitches switches = planner::switches_of(arguments.disabled_passes);
  std::vector<planner::NamedGraph> graphs;
  std::vector<planner::Obstacle> obstacles;  // of all models
  MethodNames names;
  const bool alone = arguments.paths.size() == 1;
  for (const std::string& path : arguments.paths) {
    const std::string stem = file_stem(fs::path(path).stem().string());
    given.is_tflite = fs::path(path).extension() == ".tflite";
    tell(progress, "reading " + path, graphs.size(), arguments.paths.size());
    const std::vector<std::byte> bytes = read_file(path);
    try {
      const planner::ImportOptions options = alone ? given : options_for(given, bytes, used);
      for (planner::ImportedMethod& method : planner::import_model(bytes, options)) {
        planner::optimise(method.graph, switches.graph_disabled);
        store_weights_as(arguments.weights, method.graph);
        planner::set_io_type(method.graph, io_type_of(arguments.io_type));
        graphs.push_back(
            {names.give(wanted_name(stem, method.name, alone)), std::move(method.graph), {}});
      }
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

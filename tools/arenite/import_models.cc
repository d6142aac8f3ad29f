// Gives each model the options that name something of it, imports it and runs the passes.
#include "tools/arenite/import_models.h"

#include <set>

#include "planner/graph/obstacles.h"
#include "planner/import/import.h"
#include "planner/passes/integers/io_type.h"
#include "planner/passes/passes.h"
#include "planner/passes/switches.h"
#include "support/file.h"
#include "support/printable.h"
#include "tools/io/tensor.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

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

// "[batch=2,seq=64]"; "" where there is no choice of sizes.
std::string sizes_text(const DimSizes& sizes) {
  std::string text;
  for (const auto& [name, size] : sizes) {
    text += (text.empty() ? "[" : ",") + name + "=" + std::to_string(size);
  }
  return text.empty() ? text : text + "]";
}

// The name wanted for a method; `own` is the model's name for it, "" if it has one method only.
std::string wanted_name(const std::string& stem, const std::string& own, bool alone) {
  if (alone) return own.empty() ? "main" : own;
  return own.empty() ? stem : stem + "_" + own;
}

}  // namespace

std::vector<planner::NamedGraph> import_models(const ModelArguments& arguments,
                                               const ProgressHook& progress) {
  GivenOptions given(arguments.options);
  const planner::PassSwitches switches = planner::switches_of(arguments.disabled_passes);
  std::vector<planner::NamedGraph> graphs;
  std::vector<planner::Obstacle> obstacles;  // of all models
  MethodNames names;
  const bool alone = arguments.paths.size() == 1;
  for (const std::string& path : arguments.paths) {
    const std::string stem = file_stem(fs::path(path).stem().string());
    tell(progress, "reading " + path, graphs.size(), arguments.paths.size());
    const std::vector<std::byte> bytes = read_file(path);
    try {
      std::set<std::map<std::string, uint32_t>> known;  // of this model
      for (DimSizes sizes : given.sizes()) {
        const planner::ImportOptions options = given.of_model(path, bytes, alone, sizes);
        if (!known.insert(options.dims).second) continue;
        std::erase_if(sizes, [&](const auto& size) { return !options.dims.contains(size.first); });
        for (planner::ImportedMethod& method : planner::import_model(bytes, options)) {
          planner::optimize(method.graph, switches.graph_disabled);
          store_weights_as(arguments.weights, method.graph);
          planner::set_io_type(method.graph, io_type_of(arguments.io_type));
          const std::string name = wanted_name(stem, method.name, alone) + sizes_text(sizes);
          graphs.push_back({names.give(name), std::move(method.graph), {}});
        }
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
  if (!alone) given.check_all_used();
  return graphs;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// Gives each model the options that name something of it, imports it and runs the passes.
#include "tools/arenite/import_models.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "planner/graph/obstacles.h"
#include "planner/import/import.h"
#include "planner/passes/halves.h"
#include "planner/passes/integers/io_type.h"
#include "planner/passes/passes.h"
#include "planner/passes/switches.h"
#include "planner/symbols/sliding_constants.h"
#include "support/file.h"
#include "support/printable.h"
#include "support/suggest.h"
#include "support/word_errors.h"
#include "tools/arenite/model_error.h"
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
std::string sizes_text(const GivenOptions& given, const DimSizes& sizes) {
  std::string text;
  for (const auto& [name, size] : sizes) {
    if (!given.has_several(name)) continue;
    text += (text.empty() ? "[" : ",") + name + "=" + size_text(size);
  }
  return text.empty() ? text : text + "]";
}

// Makes the graphs of a model's methods.
class ModelImport {
 public:
  ModelImport(std::vector<std::byte> bytes, const ModelArguments& arguments)
      : bytes_(std::move(bytes)),
        disabled_(planner::switches_of(arguments.disabled_passes).graph_disabled),
        weights_(arguments.weights),
        precision_(arguments.precision),
        kept_fp32_(arguments.kept_fp32),
        io_type_(io_type_of(arguments.io_type)) {}

  std::span<const std::byte> bytes() const { return bytes_; }
  // The names of values to be kept in float32 that some method has.
  const std::set<std::string>& found() const { return found_; }

  // `like`: a method that was made for other dims, to choose as it was made; null: freely.
  std::vector<planner::ImportedMethod> methods(const planner::ImportOptions& options,
                                               const planner::Graph* like = nullptr) const {
    std::vector<planner::ImportedMethod> methods = planner::import_model(bytes_, options);
    for (planner::ImportedMethod& method : methods) {
      if (like != nullptr) planner::choose_as_for(*like, method.graph);
      planner::optimize(method.graph, disabled_);
      store_weights_as(weights_.empty() && precision_ == "fp16" ? precision_ : weights_,
                       method.graph);
      if (!precision_.empty()) planner::set_halves(method.graph, precision_ == "fp16");
      for (const std::string& name : kept_fp32_) {
        if (planner::keep_in_float32(method.graph, name)) found_.insert(name);
      }
      planner::set_io_type(method.graph, io_type_);
    }
    return methods;
  }

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::string> disabled_;
  std::string weights_, precision_;
  std::vector<std::string> kept_fp32_;
  mutable std::set<std::string> found_;
  planner::IoType io_type_;
};

// Gives a method the dims of which callers choose a size.
void add_symbols(const std::shared_ptr<const ModelImport>& model,
                 const planner::ImportOptions& options, const DimSizes& sizes, size_t method,
                 planner::NamedGraph& named) {
  for (const auto& [name, size] : sizes) {
    if (size.is_range()) named.symbols.push_back({name, size.least, size.most});
  }
  if (named.symbols.empty()) return;
  planner::Graph like;
  like.nodes = named.graph.nodes;
  named.graph_at = [model, options, symbols = named.symbols, method,
                    like = std::move(like)](const planner::SymbolNumbers& numbers) {
    planner::ImportOptions other = options;
    for (size_t i = 0; i < symbols.size(); ++i) {
      if (symbols[i].name == kBatch && other.batch) {
        other.batch = numbers[i];
      } else {
        other.dims[symbols[i].name] = numbers[i];
      }
    }
    return std::move(model->methods(other, &like).at(method).graph);
  };
  planner::slide_constants(named);
}

// Variables that methods of a model share are no other model's, whatever their name.
void share_variables_within(const std::string& path, const ModelOptions& options,
                            planner::Graph& graph) {
  for (planner::GraphState& state : graph.states) {
    const bool named =
        std::ranges::find(options.shared_states, state.shared) != options.shared_states.end();
    if (!state.shared.empty() && !named) state.shared += " of " + path;
  }
}

[[noreturn]] void throw_unknown_value(const std::string& name,
                                      const std::vector<planner::NamedGraph>& graphs) {
  std::vector<std::string> known;
  for (const planner::NamedGraph& named : graphs) {
    for (const planner::Value& value : named.graph.values) known.push_back(value.name);
  }
  throw WordError(
      "--keep-fp32: no value of the models is called " + quote(name) + did_you_mean(name, known),
      name, known);
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
  std::vector<planner::NamedGraph> graphs;
  std::vector<planner::Obstacle> obstacles;  // of all models
  MethodNames names;
  std::set<std::string> found;  // values to be kept in float32
  const bool alone = arguments.paths.size() == 1;
  for (const std::string& path : arguments.paths) {
    const std::string stem = file_stem(fs::path(path).stem().string());
    tell(progress, "reading " + path, graphs.size(), arguments.paths.size());
    const auto model = std::make_shared<const ModelImport>(read_file(path), arguments);
    try {
      std::set<DimSizes> known;  // of this model
      for (DimSizes sizes : given.sizes()) {
        const planner::ImportOptions options = given.of_model(path, model->bytes(), alone, sizes);
        std::erase_if(sizes, [&](const auto& size) {
          const bool is_batch = size.first == kBatch && options.batch;
          return !is_batch && !options.dims.contains(size.first);
        });
        if (!known.insert(sizes).second) continue;
        std::vector<planner::ImportedMethod> methods = model->methods(options);
        for (size_t m = 0; m < methods.size(); ++m) {
          share_variables_within(path, arguments.options, methods[m].graph);
          const std::string name =
              wanted_name(stem, methods[m].name, alone) + sizes_text(given, sizes);
          graphs.push_back({names.give(name), std::move(methods[m].graph), {}});
          add_symbols(model, options, sizes, m, graphs.back());
        }
      }
      found.insert(model->found().begin(), model->found().end());
    } catch (const planner::ObstaclesError& error) {
      for (planner::Obstacle obstacle : error.obstacles) {
        obstacle.model = path;
        obstacles.push_back(std::move(obstacle));
      }
    } catch (const InputError& error) {
      fail_of_model(path + ": ", path, model->bytes(), error);
    }
  }
  for (const std::string& name : arguments.kept_fp32) {
    if (!found.contains(name)) throw_unknown_value(name, graphs);
  }
  if (!obstacles.empty()) throw planner::ObstaclesError(std::move(obstacles));
  if (!alone) given.check_all_used();
  given.check_shared(graphs);
  return graphs;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

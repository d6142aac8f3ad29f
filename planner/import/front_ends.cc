// Chooses the front end that reads a model.
#include "planner/import/import.h"
#include "planner/import/model/cut.h"
#include "planner/import/model/dim_expression.h"
#include "planner/import/model/input_dims.h"
#include "planner/import/model/model.h"
#include "planner/import/model/states.h"
#include "planner/import/tflite/import.h"
#include "support/content.h"

namespace arenite::planner {
namespace {

bool is_tflite_file(std::span<const std::byte> file, bool named_so) {
  return named_so || content_of(file) == Content::kTfLite;
}

// Loops of a model and of the graphs inside its nodes.
void add_loops(const Model& model, std::set<std::string>& loops) {
  for (const ModelNode& node : model.nodes) {
    if (node.op_type == "Loop") loops.insert(source_name(node));
    for (const ModelAttribute& attribute : node.attributes) {
      if (attribute.graph != nullptr) add_loops(*attribute.graph, loops);
    }
  }
}

}  // namespace

std::vector<ImportedMethod> import_model(std::span<const std::byte> file,
                                         const ImportOptions& options) {
  std::vector<ImportedMethod> methods(1);
  if (is_tflite_file(file, options.is_tflite)) {
    methods = tflite::import_methods(file, options);
  } else {
    methods[0].graph = import_onnx(file, options);
  }
  tie_states(methods, options.states, options.chosen_dims, options.shared_states);
  share_states(methods, options.shared_states);
  return methods;
}

OpenNames open_names(std::span<const std::byte> file, bool is_tflite) {
  if (is_tflite_file(file, is_tflite)) return tflite::open_names(file);
  OpenNames names;
  const Model model = read_model(file);
  for (const ModelInput& input : model.inputs) {
    names.inputs.emplace(input.name, declared(input));
    for (const ModelDim& dim : input.dims) {
      names.dims.insert(dim.symbol);
      names.dims.merge(names_in_dim(dim.symbol));
    }
  }
  names.values = value_names(model);
  add_loops(model, names.loops);
  return names;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

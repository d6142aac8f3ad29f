// Walks a model's nodes in order and turns each into nodes of the graph.
#include "planner/import.h"

#include <algorithm>

#include "planner/import/inputs.h"
#include "planner/import/model.h"
#include "planner/import/op_context.h"
#include "planner/names.h"
#include "planner/ops/ops.h"

namespace arenite::planner {
namespace {

// Names that import makes up must not meet those the model uses further on.
void reserve_names(ImportState& state, const Model& model) {
  for (const ModelInput& input : model.inputs) state.builder.reserve_name(input.name);
  for (const NamedTensor& tensor : model.initialisers) state.builder.reserve_name(tensor.name);
  for (const ModelNode& node : model.nodes) {
    for (const std::string& output : node.outputs) state.builder.reserve_name(output);
  }
}

void add_obstacle(ImportState& state, const ModelNode& node, std::string why) {
  const std::string where = describe(node) + ": ";
  if (why.starts_with(where)) why.erase(0, where.size());
  const std::string op = node.domain.empty() ? node.op_type : node.domain + "." + node.op_type;
  state.builder.add_obstacle({printable(op), printable(source_name(node)), why, where + why});
}

// Whether what the node makes is known now. If not, it is an obstacle or reads what one should
// make.
bool import_node(ImportState& state, const Model& model, const ModelNode& node) {
  const OpImporter importer = find_importer(node.domain, node.op_type);
  if (importer == nullptr || !node.unsupported.empty()) {
    add_obstacle(state, node, importer == nullptr ? "operator is not supported" : node.unsupported);
    return false;
  }
  const bool known = std::none_of(node.inputs.begin(), node.inputs.end(),
                                  [&](const auto& name) { return state.unknown.contains(name); });
  if (!known || !model.known_opset) return false;
  try {
    OpContext context(state, node);
    importer(context);
    context.finish();
    if (!context.refusal().empty()) add_obstacle(state, node, context.refusal());
    return true;
  } catch (const UnsupportedError& error) {
    add_obstacle(state, node, error.what());
    return false;
  }
}

void import_nodes(ImportState& state, const Model& model) {
  for (const ModelNode& node : model.nodes) {
    if (!import_node(state, model, node)) {
      state.unknown.insert(node.outputs.begin(), node.outputs.end());
      state.unknown.erase("");  // what is left out
    }
  }
  for (const ModelInput& output : model.outputs) {
    if (output.unsupported.empty()) continue;
    state.builder.add_obstacle({"output", printable(output.name), output.unsupported,
                                "output " + in_quotes(output.name) + ": " + output.unsupported});
  }
}

std::vector<DeclaredOutput> declared_outputs(const ImportState& state, const Model& model) {
  std::vector<DeclaredOutput> outputs;
  for (const ModelInput& output : model.outputs) {
    DeclaredOutput declared;
    declared.name = output.name;
    declared.dtype = output.dtype;
    if (output.has_shape) {
      declared.dims.emplace();
      for (const ModelDim& dim : output.dims) declared.dims->push_back(dim.value.value_or(-1));
    }
    const auto found = state.by_name.find(output.name);
    if (found != state.by_name.end()) declared.value = found->second;
    outputs.push_back(std::move(declared));
  }
  return outputs;
}

}  // namespace

Graph import_onnx(std::span<const std::byte> file, const ImportOptions& options) {
  const Model model = read_model(file);
  ImportState state;
  state.opset = model.opset;
  state.builder.set_name(model.name);
  reserve_names(state, model);
  add_inputs(state, model, options);
  import_nodes(state, model);
  return state.builder.finish(declared_outputs(state, model));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

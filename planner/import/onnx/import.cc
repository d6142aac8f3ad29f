// Walks a model's nodes in order and turns each into nodes of the graph.
#include "planner/import/onnx/import.h"

#include <algorithm>

#include "planner/graph/names.h"
#include "planner/import/model/cut.h"
#include "planner/import/model/input_dims.h"
#include "planner/import/model/inputs.h"
#include "planner/import/model/loops.h"
#include "planner/import/model/model.h"
#include "planner/import/model/op_context.h"
#include "planner/import/onnx/conditional.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/refusal.h"
#include "planner/import/onnx/unroll.h"

namespace arenite::planner {
namespace {

// Names that import makes up must not meet those the model uses further on.
void reserve_names(ImportState& state, const Model& model) {
  for (const ModelInput& input : model.inputs) state.builder.reserve_name(input.name);
  for (const NamedTensor& tensor : model.initializers) state.builder.reserve_name(tensor.name);
  for (const ModelNode& node : model.nodes) {
    for (const std::string& output : node.outputs) state.builder.reserve_name(output);
  }
}

void add_obstacle(ImportState& state, const ModelNode& node, std::string why,
                  const std::string& instead = {}) {
  const std::string where = describe(node) + ": ";
  if (why.starts_with(where)) why.erase(0, where.size());
  const std::string op = node.domain.empty() ? node.op_type : node.domain + "." + node.op_type;
  state.builder.add_obstacle({printable(op),
                              printable(source_name(node)),
                              why,
                              where + why,
                              {},
                              instead + cut_advice(instead, node)});
}

bool import_node(ImportState& state, const Model& model, const ModelNode& node);

void import_all(ImportState& state, const Model& model, const std::vector<ModelNode>& nodes) {
  for (const ModelNode& node : nodes) {
    if (!import_node(state, model, node)) {
      state.unknown.insert(node.outputs.begin(), node.outputs.end());
      state.unknown.erase("");  // what is left out
    }
  }
}

// Whether what the node makes is known now. If not, it is an obstacle or reads what one should
// make.
bool import_node(ImportState& state, const Model& model, const ModelNode& node) {
  const ImportRow* row = find_import_row(node.domain, node.op_type);
  if (row == nullptr || !node.unsupported.empty()) {
    if (row != nullptr) {
      add_obstacle(state, node, node.unsupported, node.instead);
    } else {
      const OpRefusal refusal = refusal_of(node.domain, node.op_type);
      add_obstacle(state, node, refusal.why, refusal.instead);
    }
    return false;
  }
  const bool known = std::none_of(node.inputs.begin(), node.inputs.end(),
                                  [&](const auto& name) { return state.unknown.contains(name); });
  if (!known || !model.known_opset) return false;
  try {
    if (row->importer == nullptr) {
      const ImportNodes import = [&](const std::vector<ModelNode>& nodes) {
        import_all(state, model, nodes);
      };
      if (node.op_type == "If") import_if(state, node, *row, import);
      if (node.op_type == "Loop") unroll_loop(state, node, *row, import);
      if (node.op_type == "Scan") unroll_scan(state, node, *row, import);
      return true;
    }
    OpContext context(state, node, *row);
    row->importer(context);
    context.finish();
    if (!context.refusal().empty()) add_obstacle(state, node, context.refusal());
    return true;
  } catch (const UnsupportedError& error) {
    add_obstacle(state, node, error.what(), error.instead);
    return false;
  }
}

void import_nodes(ImportState& state, const Model& model) {
  import_all(state, model, model.nodes);
  for (const ModelInput& output : model.outputs) {
    if (output.unsupported.empty()) continue;
    state.builder.add_obstacle({"output",
                                printable(output.name),
                                output.unsupported,
                                "output " + quote(output.name) + ": " + output.unsupported,
                                {},
                                output.instead});
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
  Model model = read_model(file, options.folder);
  ImportState state;
  if (!options.outputs.empty()) state.builder.note(cut(model, options.outputs));
  state.opset = model.opset;
  state.max_trips = options.max_trips;
  state.builder.set_name(model.name);
  state.builder.set_file_bytes(file.size() + model.external_bytes);
  reserve_names(state, model);
  add_inputs(state, model, options);
  import_nodes(state, model);
  Graph graph = state.builder.finish(declared_outputs(state, model));
  check_max_trips(options, state.loops);
  expect_elements(graph, options);
  return graph;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

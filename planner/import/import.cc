// Walks a model's nodes in order and turns each into nodes of the graph.
#include "planner/import.h"

#include <algorithm>
#include <set>

#include "planner/import/inputs.h"
#include "planner/import/model.h"
#include "planner/import/op_context.h"
#include "planner/names.h"
#include "planner/ops/ops.h"

namespace arenite::planner {
namespace {

// Names that import makes up must not meet those the model uses further on.
void reserve_names(ImportState& state, const Model& model) {
  for (const ModelInput& input : model.inputs) state.taken.insert(input.name);
  for (const NamedTensor& tensor : model.initialisers) state.taken.insert(tensor.name);
  for (const ModelNode& node : model.nodes) {
    state.taken.insert(node.outputs.begin(), node.outputs.end());
  }
}

void import_node(ImportState& state, const ModelNode& node) {
  const OpImporter importer = node.domain.empty() ? find_importer(node.op_type) : nullptr;
  if (importer == nullptr) {
    throw UnsupportedError(describe(node) + ": operator is not supported");
  }
  OpContext context(state, node);
  importer(context);
  context.finish();
}

// A result that is known while planning, or is an input, still has to be written at run time: it
// becomes a copy. So does one that is listed twice.
ValueId output_value(ImportState& state, const ModelInput& output, const std::set<ValueId>& used) {
  const auto found = state.by_name.find(output.name);
  const std::string where = "output '" + printable(output.name) + "': ";
  if (found == state.by_name.end()) throw InputError(where + "no node makes it");
  const ValueId id = found->second;
  Graph& graph = state.graph;
  if (graph.values[id].dtype != output.dtype) {
    throw InputError(where + "is declared " + dtype_name(output.dtype) + ", the graph gives " +
                     dtype_name(graph.values[id].dtype));
  }
  const bool written =
      graph.values[id].constant == nullptr && !used.contains(id) &&
      std::find(graph.inputs.begin(), graph.inputs.end(), id) == graph.inputs.end();
  if (written) return id;
  const DType dtype = graph.values[id].dtype;
  const std::vector<uint32_t> dims = graph.values[id].dims;
  std::string name = output.name;
  if (graph.values[id].constant != nullptr && !used.contains(id)) {
    // The output keeps the model's name.
    graph.values[id].name = state.unique_name(name + ".constant");
  } else {
    name = state.unique_name(name + ".copy");
  }
  const ValueId copy = state.add_value(name, dtype, dims);
  Node node;
  node.op = Op::kCopy;
  node.inputs = {id};
  node.outputs = {copy};
  graph.nodes.push_back(std::move(node));
  return copy;
}

// Declared shapes of outputs are often stale: the user learns of it, the graph's own rules count.
void note_other_shape(ImportState& state, const ModelInput& output, ValueId id) {
  const std::vector<uint32_t>& dims = state.graph.values[id].dims;
  if (!output.has_shape) return;
  bool fits = dims.size() == output.dims.size();
  for (size_t i = 0; fits && i < dims.size(); ++i) {
    const std::optional<int64_t>& value = output.dims[i].value;
    fits = !value || *value <= 0 || *value == dims[i];
  }
  if (!fits) {
    state.graph.notes.push_back("output '" + printable(output.name) + "': has dims " +
                                dims_text(dims) + ", the model declares others");
  }
}

}  // namespace

Graph import_onnx(std::span<const std::byte> file, const ImportOptions& options) {
  const Model model = read_model(file);
  ImportState state;
  state.opset = model.opset;
  state.graph.name = model.name;
  reserve_names(state, model);
  add_inputs(state, model, options);
  for (const ModelNode& node : model.nodes) import_node(state, node);
  std::set<ValueId> used;
  for (const ModelInput& output : model.outputs) {
    const ValueId id = output_value(state, output, used);
    used.insert(id);
    note_other_shape(state, output, id);
    state.graph.outputs.push_back(id);
  }
  return std::move(state.graph);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

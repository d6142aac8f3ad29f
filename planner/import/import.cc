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

void add_obstacle(ImportState& state, const ModelNode& node, std::string why) {
  const std::string where = describe(node) + ": ";
  if (why.starts_with(where)) why.erase(0, where.size());
  const std::string op = node.domain.empty() ? node.op_type : node.domain + "." + node.op_type;
  state.obstacles.push_back({printable(op), printable(source_name(node)), why, where + why});
}

// Whether what the node makes is known now. If not, it is an obstacle or reads what one should
// make.
bool import_node(ImportState& state, const Model& model, const ModelNode& node) {
  const OpImporter importer = node.domain.empty() ? find_importer(node.op_type) : nullptr;
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
    state.obstacles.push_back({"output", printable(output.name), output.unsupported,
                               "output " + in_quotes(output.name) + ": " + output.unsupported});
  }
}

// Throws where the graph is not whole: shapes can be given, and are asked for alone when that is
// all.
void check_whole(const ImportState& state) {
  std::vector<Obstacle> all = state.obstacles;
  all.insert(all.end(), state.shapes_wanted.begin(), state.shapes_wanted.end());
  if (!state.obstacles.empty()) throw ObstaclesError(std::move(all));
  std::string text;
  for (const Obstacle& wanted : all) text += (text.empty() ? "" : "\n") + wanted.text;
  if (!text.empty()) throw InputError(text);
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
  import_nodes(state, model);
  check_whole(state);
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

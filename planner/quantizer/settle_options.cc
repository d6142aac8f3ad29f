// Changes the model's inputs, initializers and outputs; nodes that nobody reads then go.
#include "planner/quantizer/settle_options.h"

#include <algorithm>
#include <set>

#include "onnx.pb.h"
#include "planner/quantizer/model_editor.h"

namespace arenite::planner::quantizer {
namespace {

void fix_input(onnx::GraphProto& graph, const onnx::ValueInfoProto& input,
               const ImportOptions::Bound& value) {
  const OnnxType type = type_from_onnx(input.type().tensor_type().elem_type());
  const std::vector<std::byte> bytes =
      serialize_tensor(input.name(), {type.dtype, value.dims, value.bytes, type.four_bits});
  graph.add_initializer()->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

// Inputs that the graph has, and those that are initializers in old models.
void keep_inputs(onnx::GraphProto& graph, const ImportOptions& options, const Graph& imported) {
  std::set<std::string> kept;
  for (const ValueId id : imported.inputs) kept.insert(imported.values[id].name);
  for (const onnx::TensorProto& tensor : graph.initializer()) kept.insert(tensor.name());
  auto* inputs = graph.mutable_input();
  for (const onnx::ValueInfoProto& input : *inputs) {
    const auto value = options.bound.find(input.name());
    if (value != options.bound.end()) fix_input(graph, input, value->second);
  }
  inputs->erase(std::remove_if(inputs->begin(), inputs->end(),
                               [&](const onnx::ValueInfoProto& input) {
                                 return !kept.contains(input.name());
                               }),
                inputs->end());
}

void replace_outputs(onnx::GraphProto& graph, const ImportOptions& options, const Graph& imported) {
  graph.clear_output();
  for (size_t i = 0; i < options.outputs.size(); ++i) {
    const Value& value = imported.values[imported.outputs[i]];
    onnx::ValueInfoProto* output = graph.add_output();
    output->set_name(options.outputs[i]);
    output->mutable_type()->mutable_tensor_type()->set_elem_type(onnx_number({value.dtype, false}));
  }
}

}  // namespace

std::vector<std::byte> settle_options(std::span<const std::byte> file, const ImportOptions& options,
                                      const Graph& graph) {
  onnx::ModelProto model;
  if (!model.ParseFromArray(file.data(), static_cast<int>(file.size()))) {
    throw InputError("is no ONNX model");
  }
  keep_inputs(*model.mutable_graph(), options, graph);
  if (!options.outputs.empty()) replace_outputs(*model.mutable_graph(), options, graph);
  const std::string text = model.SerializeAsString();
  return ModelEditor(std::as_bytes(std::span(text)), graph, options.folder).finish();
}

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0

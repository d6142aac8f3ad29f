// Puts quantize and dequantize nodes at a graph's ends, or takes them away.
#include "planner/passes/integers/io_type.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "planner/graph/names.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/scale.h"

namespace arenite::planner {
namespace {

// One scale for all its integers.
bool is_quantized(const Value& value) {
  return value.quantization && !value.quantization->axis && element_bytes(value.dtype) <= 2;
}

// A float32 value that takes the name of `integers`, which gets another one.
ValueId add_float(Graph& graph, ValueId integers) {
  const ValueId id = add_value(graph, "", DType::kFloat32, graph.values[integers].dims);
  graph.values[id].symbols = graph.values[integers].symbols;
  std::swap(graph.values[id].name, graph.values[integers].name);
  graph.values[integers].name = graph.values[id].name + graph.values[integers].name;
  return id;
}

// The inputs of a node that quantizes `x` to `integers`, or dequantizes x, which are they.
std::vector<ValueId> inputs_of(Graph& graph, ValueId x, ValueId integers) {
  const Quantization quantization = *graph.values[integers].quantization;
  return quantize::add_scale(graph, quantization, 0).inputs(x);
}

void take_floats(Graph& graph, ValueId& input) {
  const ValueId integers = input;
  input = add_float(graph, integers);
  Node node;
  node.op = Op::kQuantize;
  node.inputs = inputs_of(graph, input, integers);
  node.outputs = {integers};
  node.set_attributes(QuantizeAttributes{Rounding::kHalfEven});
  graph.nodes.insert(graph.nodes.begin(), std::move(node));
}

void give_floats(Graph& graph, ValueId& output) {
  const ValueId integers = output;
  output = add_float(graph, integers);
  Node node;
  node.op = Op::kDequantize;
  node.inputs = inputs_of(graph, integers, integers);
  node.outputs = {output};
  graph.nodes.push_back(std::move(node));
}

// Gives the integers the other value's name and place.
void take_place(Graph& graph, ValueId integers, ValueId floats, const Quantization& quantization) {
  std::swap(graph.values[integers].name, graph.values[floats].name);
  graph.values[integers].symbols = graph.values[floats].symbols;
  graph.values[integers].quantization = quantization;
}

// The nodes that read a value.
std::vector<size_t> readers_of(const Graph& graph, ValueId id) {
  std::vector<size_t> readers;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const std::vector<ValueId>& inputs = graph.nodes[n].inputs;
    if (std::find(inputs.begin(), inputs.end(), id) != inputs.end()) readers.push_back(n);
  }
  return readers;
}

// Why an input of floats stays one; "" where it has become integers.
std::string take_integers(Graph& graph, ValueId& input) {
  const std::vector<size_t> readers = readers_of(graph, input);
  if (readers.empty()) return "nothing reads it";
  if (readers.size() > 1) return "several nodes read it";
  const Node node = graph.nodes[readers[0]];
  if (node.op != Op::kQuantize) return op_name(node.op) + " reads it as numbers";
  const std::optional<Quantization> quantization = quantize::quantization_of(graph, node);
  if (!quantization || quantization->axis) return "its integers have several scales";
  const ValueId integers = node.outputs[0];
  const bool is_output =
      std::find(graph.outputs.begin(), graph.outputs.end(), integers) != graph.outputs.end();
  if (is_output) return "its integers are an output";
  take_place(graph, integers, input, *quantization);
  input = integers;
  graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(readers[0]));
  return "";
}

std::string give_integers(Graph& graph, ValueId& output) {
  const auto maker = std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
    return std::find(node.outputs.begin(), node.outputs.end(), output) != node.outputs.end();
  });
  if (maker == graph.nodes.end()) return "no node makes it";
  if (maker->op != Op::kDequantize) return op_name(maker->op) + " makes it as numbers";
  if (!readers_of(graph, output).empty()) return "others read its numbers";
  const std::optional<Quantization> quantization = quantize::quantization_of(graph, *maker);
  if (!quantization || quantization->axis) return "its integers have several scales";
  const ValueId integers = maker->inputs[0];
  const auto is_end = [&](const std::vector<ValueId>& ends) {
    return std::find(ends.begin(), ends.end(), integers) != ends.end();
  };
  if (is_end(graph.outputs) || is_end(graph.inputs)) return "its integers are an output too";
  take_place(graph, integers, output, *quantization);
  output = integers;
  graph.nodes.erase(maker);
  return "";
}

}  // namespace

void set_io_type(Graph& graph, IoType type) {
  if (type == IoType::kModel) return;
  using ToFloats = void (*)(Graph & graph, ValueId & id);
  using ToIntegers = std::string (*)(Graph & graph, ValueId & id);
  const auto change = [&](const char* which, ValueId& id, ToFloats floats, ToIntegers integers) {
    if (type == IoType::kFloat && is_quantized(graph.values[id])) floats(graph, id);
    if (type != IoType::kNative || graph.values[id].dtype != DType::kFloat32) return;
    const std::string why = integers(graph, id);
    if (why.empty()) return;
    graph.notes.push_back(std::string(which) + " '" + printable(graph.values[id].name) +
                          "' stays float32: " + why);
  };
  // States stay as they are.
  for (uint32_t i = 0; i < graph.inputs.size(); ++i) {
    if (std::ranges::find(graph.states, i, &GraphState::input) != graph.states.end()) continue;
    change("input", graph.inputs[i], take_floats, take_integers);
  }
  for (uint32_t i = 0; i < graph.outputs.size(); ++i) {
    if (std::ranges::find(graph.states, i, &GraphState::output) != graph.states.end()) continue;
    change("output", graph.outputs[i], give_floats, give_integers);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Puts quantise and dequantise nodes at a graph's ends, or takes them away.
#include "planner/io_type.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "planner/names.h"
#include "planner/passes/rewrite.h"

namespace arenite::planner {
namespace {

template <typename T>
ValueId add_scalar(Graph& graph, const std::string& name, DType dtype, T element) {
  std::vector<std::byte> bytes(sizeof element);
  std::memcpy(bytes.data(), &element, sizeof element);
  const ValueId id = add_value(graph, name, dtype, {});
  graph.values[id].constant = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return id;
}

ValueId add_zero_point(Graph& graph, const std::string& name, DType dtype, int32_t zero_point) {
  if (element_bytes(dtype) == 1) {
    return add_scalar(graph, name, dtype, static_cast<uint8_t>(zero_point));
  }
  return add_scalar(graph, name, dtype, static_cast<uint16_t>(zero_point));
}

// One scale for all its integers.
bool is_quantised(const Value& value) {
  return value.quantisation.has_value() && value.quantisation->scales.size() == 1 &&
         element_bytes(value.dtype) <= 2;
}

// A float32 value that takes the name of `integers`, which gets another one.
ValueId add_float(Graph& graph, ValueId integers) {
  const ValueId id = add_value(graph, "", DType::kFloat32, graph.values[integers].dims);
  graph.values[id].symbols = graph.values[integers].symbols;
  std::swap(graph.values[id].name, graph.values[integers].name);
  graph.values[integers].name = graph.values[id].name + graph.values[integers].name;
  return id;
}

// The scale and zero point of `integers`, as operands.
std::vector<ValueId> numbers_of(Graph& graph, ValueId integers) {
  const Quantisation quantisation = *graph.values[integers].quantisation;
  const std::string name = graph.values[integers].name;
  const DType dtype = graph.values[integers].dtype;
  return {add_scalar(graph, name + ".scale", DType::kFloat32, quantisation.scales[0]),
          add_zero_point(graph, name + ".zero_point", dtype, quantisation.zero_points[0])};
}

void take_floats(Graph& graph, ValueId& input) {
  const ValueId integers = input;
  input = add_float(graph, integers);
  const std::vector<ValueId> numbers = numbers_of(graph, integers);
  Node node;
  node.op = Op::kQuantize;
  node.inputs = {input, numbers[0], numbers[1]};
  node.outputs = {integers};
  node.set_attributes(QuantizeAttributes{Rounding::kHalfEven});
  graph.nodes.insert(graph.nodes.begin(), std::move(node));
}

void give_floats(Graph& graph, ValueId& output) {
  const ValueId integers = output;
  output = add_float(graph, integers);
  const std::vector<ValueId> numbers = numbers_of(graph, integers);
  Node node;
  node.op = Op::kDequantize;
  node.inputs = {integers, numbers[0], numbers[1]};
  node.outputs = {output};
  graph.nodes.push_back(std::move(node));
}

// Of a quantise or dequantise node: what its integers stand for, where one scale is for all.
std::optional<Quantisation> quantisation_of(const Graph& graph, const Node& node) {
  const Value& scale = graph.values[node.inputs[1]];
  if (scale.constant == nullptr || scale.elements() != 1) return std::nullopt;
  Quantisation quantisation = {{0.0f}, {0}};
  std::memcpy(quantisation.scales.data(), scale.constant->data(), sizeof(float));
  if (node.inputs.size() < 3 || node.inputs[2] == kNoValue) return quantisation;
  const Value& zero_point = graph.values[node.inputs[2]];
  if (zero_point.constant == nullptr || zero_point.elements() != 1) return std::nullopt;
  const auto read = [&]<typename T>(T zero) {
    std::memcpy(&zero, zero_point.constant->data(), sizeof zero);
    return int32_t{zero};
  };
  switch (zero_point.dtype) {
    case DType::kInt8:
      quantisation.zero_points[0] = read(int8_t{});
      return quantisation;
    case DType::kUint8:
      quantisation.zero_points[0] = read(uint8_t{});
      return quantisation;
    case DType::kInt16:
      quantisation.zero_points[0] = read(int16_t{});
      return quantisation;
    case DType::kUint16:
      quantisation.zero_points[0] = read(uint16_t{});
      return quantisation;
    default:
      return std::nullopt;
  }
}

// Gives the integers the other value's name and place.
void take_place(Graph& graph, ValueId integers, ValueId floats, const Quantisation& quantisation) {
  std::swap(graph.values[integers].name, graph.values[floats].name);
  graph.values[integers].symbols = graph.values[floats].symbols;
  graph.values[integers].quantisation = quantisation;
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
  const std::optional<Quantisation> quantisation = quantisation_of(graph, node);
  if (!quantisation) return "its integers have several scales";
  const ValueId integers = node.outputs[0];
  const bool is_output =
      std::find(graph.outputs.begin(), graph.outputs.end(), integers) != graph.outputs.end();
  if (is_output) return "its integers are an output";
  take_place(graph, integers, input, *quantisation);
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
  const std::optional<Quantisation> quantisation = quantisation_of(graph, *maker);
  if (!quantisation) return "its integers have several scales";
  const ValueId integers = maker->inputs[0];
  const auto is_end = [&](const std::vector<ValueId>& ends) {
    return std::find(ends.begin(), ends.end(), integers) != ends.end();
  };
  if (is_end(graph.outputs) || is_end(graph.inputs)) return "its integers are an output too";
  take_place(graph, integers, output, *quantisation);
  output = integers;
  graph.nodes.erase(maker);
  return "";
}

}  // namespace

void set_io_type(Graph& graph, IoType type) {
  if (type == IoType::kModel) return;
  // By what a program knows of it.
  const auto note = [&](const char* which, ValueId id, const std::string& why) {
    if (why.empty()) return;
    graph.notes.push_back(std::string(which) + " '" + printable(graph.values[id].name) +
                          "' stays " + dtype_name(graph.values[id].dtype) + ": " + why);
  };
  for (ValueId& input : graph.inputs) {
    if (type == IoType::kFloat && is_quantised(graph.values[input])) take_floats(graph, input);
    if (type != IoType::kNative || graph.values[input].dtype != DType::kFloat32) continue;
    const ValueId before = input;
    const std::string why = take_integers(graph, input);
    note("input", before, why);
  }
  for (ValueId& output : graph.outputs) {
    if (type == IoType::kFloat && is_quantised(graph.values[output])) give_floats(graph, output);
    if (type != IoType::kNative || graph.values[output].dtype != DType::kFloat32) continue;
    const ValueId before = output;
    const std::string why = give_integers(graph, output);
    note("output", before, why);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

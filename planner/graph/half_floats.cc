// Finds nodes on 16-bit floats and what they hold of that type.
#include "planner/graph/half_floats.h"

#include <algorithm>
#include <cmath>

#include "planner/graph/op_facts.h"
#include "planner/graph/target_forms.h"
#include "portable_fallback/shared/small_float.h"

namespace arenite::planner {
namespace {

std::vector<DType> types_of(const Graph& graph, const std::vector<ValueId>& ids) {
  std::vector<DType> types;
  for (const ValueId id : ids) {
    types.push_back(id == kNoValue ? DType::kNone : graph.values[id].dtype);
  }
  return types;
}

template <size_t kRules>
std::vector<ValueId> of_t(const std::vector<ValueId>& ids, const OperandType (&rules)[kRules]) {
  std::vector<ValueId> result = ids;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (rules[std::min(i, kRules - 1)] != OperandType::kT) result[i] = kNoValue;
  }
  return result;
}

DType t_of(const Graph& graph, const Node& node) {
  return type_of(contract_of(node.op), types_of(graph, node.inputs), types_of(graph, node.outputs));
}

}  // namespace

bool has_halves(const Graph& graph) {
  return std::ranges::any_of(graph.values, &Value::half_will_do);
}

std::optional<uint16_t> half_of(float number) {
  const uint16_t half = double_to_small<kFloat16Format>(static_cast<double>(number));
  if (std::isfinite(number) && !std::isfinite(small_to_float<kFloat16Format>(half))) {
    return std::nullopt;
  }
  return half;
}

DType half_type(const Graph& graph, const Node& node) {
  const DType type = t_of(graph, node);
  const bool half = has(types::kFloat16s, type);
  return half && has(contract_of(node.op).types, DType::kFloat32) ? type : DType::kNone;
}

bool takes_halves(const Graph& graph, const Node& node) {
  return has(contract_of(node.op).types, t_of(graph, node));
}

Node cast_node(ValueId from, ValueId to, const Node& on_behalf_of) {
  Node node;
  node.op = Op::kCast;
  node.inputs = {from};
  node.outputs = {to};
  node.sources = on_behalf_of.sources;
  return node;
}

std::vector<ValueId> inputs_of_t(const Node& node) {
  return of_t(node.inputs, contract_of(node.op).inputs);
}

std::vector<Node> compute_in_float32(const Graph& graph, Node& node,
                                     const std::function<ValueId(ValueId)>& widened,
                                     const std::function<ValueId(ValueId)>& made) {
  if (const auto widen = facts_of(node.op).widen) widen(node, half_type(graph, node));
  const std::vector<ValueId> inputs = inputs_of_t(node);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != kNoValue) node.inputs[i] = widened(inputs[i]);
  }
  std::vector<Node> casts;
  const std::vector<ValueId> outputs = of_t(node.outputs, contract_of(node.op).outputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] == kNoValue) continue;
    node.outputs[i] = made(outputs[i]);
    casts.push_back(cast_node(node.outputs[i], outputs[i], node));
  }
  return casts;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

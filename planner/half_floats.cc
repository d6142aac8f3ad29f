// Finds nodes on 16-bit floats and what they hold of that type.
#include "planner/half_floats.h"

#include <algorithm>

#include "planner/op_facts.h"
#include "planner/target_forms.h"

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

DType half_type(const Graph& graph, const Node& node) {
  const DType type = t_of(graph, node);
  const bool half = has(types::kFloat16s, type);
  return half && has(contract_of(node.op).types, DType::kFloat32) ? type : DType::kNone;
}

bool takes_halves(const Graph& graph, const Node& node) {
  return has(contract_of(node.op).types, t_of(graph, node));
}

TypedOperands operands_of_t(const Node& node) {
  const Contract& contract = contract_of(node.op);
  return {of_t(node.inputs, contract.inputs), of_t(node.outputs, contract.outputs)};
}

void widen_attributes(Node& node, DType half) {
  const auto widen = facts_of(node.op).widen;
  if (widen != nullptr) widen(node, half);
}

Node cast_node(ValueId from, ValueId to, const Node& on_behalf_of) {
  Node node;
  node.op = Op::kCast;
  node.inputs = {from};
  node.outputs = {to};
  node.sources = on_behalf_of.sources;
  return node;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

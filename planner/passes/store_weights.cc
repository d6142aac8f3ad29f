// Weights of convolutions and matrix products in the type that they are to be stored in; kernels
// widen 16-bit ones to float32 as they read them.
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/contract.h"
#include "planner/graph/names.h"
#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/graph/target_forms.h"
#include "planner/passes/passes.h"
#include "portable_fallback/shared/typed.h"

namespace arenite::planner {
namespace {

// Throws InputError where a finite weight is none of the type's.
std::vector<std::byte> rounded(const Value& weights, DType type) {
  const std::vector<float> elements = float_elements(weights);
  std::vector<std::byte> bytes(elements.size() * element_bytes(type));
  for_number<types::kFloat>(type, [&]<typename T>() {
    for (size_t i = 0; i < elements.size(); ++i) {
      const T element = elements[i];
      if (std::isfinite(elements[i]) && !std::isfinite(float{element})) {
        throw InputError("weights " + quote(weights.name) + " hold " + std::to_string(elements[i]) +
                         ", which is too large for " + dtype_name(type));
      }
      std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
    }
  });
  return bytes;
}

bool is_weights(const Graph& graph, const Node& node) {
  const auto ask = facts_of(node.op).weights;
  if (ask == nullptr || ask(node) == Weights::kNone || node.inputs[1] == kNoValue ||
      contract_of(node.op).inputs[1] != OperandType::kTOrHalf) {
    return false;
  }
  const Value& weights = graph.values[node.inputs[1]];
  return weights.constant != nullptr && has(types::kFloat, weights.dtype) &&
         graph.values[node.inputs[0]].dtype == DType::kFloat32;
}

}  // namespace

void store_weights(Graph& graph, DType type) {
  std::map<ValueId, ValueId> stored;
  for (Node& node : graph.nodes) {
    if (!is_weights(graph, node) || graph.values[node.inputs[1]].dtype == type) continue;
    const auto [entry, is_new] = stored.emplace(node.inputs[1], kNoValue);
    if (is_new) {
      const Value weights = graph.values[node.inputs[1]];
      entry->second = add_value(graph, weights.name, type, weights.dims);
      graph.values[entry->second].constant =
          std::make_shared<const std::vector<std::byte>>(rounded(weights, type));
    }
    node.inputs[1] = entry->second;
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

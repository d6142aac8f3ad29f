// Computes every node of a graph in order with the portable kernels.
#include "planner/graph/interpret.h"

#include <string>
#include <utility>

#include "planner/graph/eval.h"
#include "planner/graph/names.h"

namespace arenite::planner {

std::vector<std::vector<std::byte>> interpret(const Graph& graph,
                                              std::span<const std::vector<std::byte>> inputs,
                                              const ValueObserver& observe) {
  if (inputs.size() != graph.inputs.size()) {
    throw InputError("expected " + std::to_string(graph.inputs.size()) + " inputs, found " +
                     std::to_string(inputs.size()));
  }
  std::vector<std::vector<std::byte>> held(graph.values.size());
  std::vector<uint32_t> reads(graph.values.size(), 0);
  for (const Node& node : graph.nodes) {
    for (const ValueId id : node.inputs) {
      if (id != kNoValue) ++reads[id];
    }
  }
  for (const ValueId id : graph.outputs) ++reads[id];
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Value& value = graph.values[graph.inputs[i]];
    if (inputs[i].size() != value.dense_bytes()) {
      throw InputError("input '" + printable(value.name) + "': expected " +
                       std::to_string(value.dense_bytes()) + " bytes, found " +
                       std::to_string(inputs[i].size()));
    }
    held[graph.inputs[i]] = inputs[i];
    if (observe) observe(graph.inputs[i], inputs[i]);
  }
  for (const Node& node : graph.nodes) {
    std::vector<std::span<const std::byte>> operands;
    for (const ValueId id : node.inputs) {
      if (id == kNoValue) {
        operands.emplace_back();
      } else {
        const auto& constant = graph.values[id].constant;
        operands.emplace_back(constant != nullptr ? *constant : held[id]);
      }
    }
    std::vector<std::vector<std::byte>> results = compute(graph, node, operands);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == kNoValue) continue;
      if (observe) observe(node.outputs[i], results[i]);
      held[node.outputs[i]] = std::move(results[i]);
    }
    for (const ValueId id : node.inputs) {
      // A value that nobody reads any more is freed: models hold many large values.
      if (id != kNoValue && --reads[id] == 0) std::vector<std::byte>().swap(held[id]);
    }
  }
  std::vector<std::vector<std::byte>> outputs;
  for (const ValueId id : graph.outputs) {
    const auto& constant = graph.values[id].constant;
    outputs.push_back(constant != nullptr ? *constant : held[id]);
  }
  return outputs;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Quantizing and dequantizing of one value in one way: once; one after the other: not at all.
#include <map>
#include <tuple>
#include <utility>

#include "planner/graph/rewrite.h"
#include "planner/graph/simplify.h"
#include "planner/passes/integers/scale.h"
#include "planner/passes/integers/steps.h"

namespace arenite::planner::quantize {
namespace {

void become_copy(Node& node, ValueId from) {
  node.op = Op::kCopy;
  node.inputs = {from};
  node.attributes.clear();
}

}  // namespace

void merge_equal_scales(Graph& graph) {
  std::map<std::pair<ValueId, Op>, std::vector<std::pair<Quantization, const Node*>>> seen;
  for (Node& node : graph.nodes) {
    if (!is_scaling(node)) continue;
    const std::optional<Quantization> scale = quantization_of(graph, node);
    if (!scale) continue;
    auto& known = seen[{node.inputs[0], node.op}];
    const Node* same = nullptr;
    for (const auto& [other, first] : known) {
      if (other == *scale && first->attributes == node.attributes) same = first;
    }
    if (same == nullptr) {
      known.emplace_back(*scale, &node);
    } else {
      become_copy(node, same->outputs[0]);
    }
  }
  remove_identities(graph);
}

void cancel_scales(Graph& graph) {
  const Uses uses = find_uses(graph);
  for (Node& node : graph.nodes) {
    if (node.op != Op::kQuantize || uses.producer[node.inputs[0]] == kNoNode) continue;
    const Node& before = graph.nodes[uses.producer[node.inputs[0]]];
    if (before.op != Op::kDequantize) continue;
    const std::optional<Quantization> from = quantization_of(graph, before);
    if (from && from == quantization_of(graph, node)) become_copy(node, before.inputs[0]);
  }
  remove_identities(graph);
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0

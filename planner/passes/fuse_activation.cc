// Moves activations (clips, sigmoids, swishes) into the node whose results they bend.
#include <optional>

#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/graph/target_forms.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

std::optional<Activation> activation_of(const Node& node) {
  const OpFacts facts = facts_of(node.op);
  return facts.activation == nullptr ? std::nullopt : facts.activation(node);
}

// A swish takes longer than the sum of two numbers. Vectors compute it as a step of its own, and as
// the end of products, but not as the end of sums.
bool suits(const Node& node, const Activation& activation) {
  const bool swish =
      activation.kind == ActivationKind::kHardSwish || activation.kind == ActivationKind::kSwish;
  return !swish || facts_of(node.op).weights != nullptr;
}

// Sets the node's activation, if its operator has one and it is none yet.
bool take(Node& node, const Activation& activation) {
  if (contract_of(node.op).activation_word == kNoActivation || has_activation(node)) return false;
  set_activation(node, activation);
  return true;
}

}  // namespace

void fuse_activation(Graph& graph) {
  Uses uses = find_uses(graph);
  for (Node& node : graph.nodes) {
    const std::optional<Activation> activation = activation_of(node);
    if (!activation || graph.values[node.inputs[0]].dtype != DType::kFloat32) continue;
    Node* producer = sole_producer(graph, uses, node.inputs[0]);
    if (producer != nullptr && suits(*producer, *activation) && take(*producer, *activation)) {
      merge_into(graph, uses, *producer, node);
    }
  }
  remove_nodes(graph, uses);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

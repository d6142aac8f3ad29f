// Moves clips and sigmoids into the node whose results they bend.
#include <algorithm>
#include <optional>

#include "planner/passes/passes.h"
#include "planner/passes/rewrite.h"

namespace arenite::planner {
namespace {

std::optional<Activation> activation_of(const Node& node) {
  switch (node.op) {
    case Op::kClip: {
      const bool bounds_at_run_time = std::any_of(node.inputs.begin() + 1, node.inputs.end(),
                                                  [](ValueId id) { return id != kNoValue; });
      if (bounds_at_run_time) return std::nullopt;
      const auto clip = node.attributes_as<ClipAttributes>();
      return Activation{ActivationKind::kClip, clip.min, clip.max};
    }
    case Op::kHardSigmoid: {
      const auto sigmoid = node.attributes_as<HardSigmoidAttributes>();
      return Activation{ActivationKind::kHardSigmoid, sigmoid.alpha, sigmoid.beta};
    }
    case Op::kSigmoid:
      return Activation{ActivationKind::kSigmoid, 0.0F, 0.0F};
    default:
      return std::nullopt;
  }
}

// Sets the activation of a node whose attributes are `Attributes`, unless it has one.
template <typename Attributes>
bool set_activation(Node& node, const Activation& activation) {
  auto attributes = node.attributes_as<Attributes>();
  if (attributes.activation.kind != ActivationKind::kNone) return false;
  attributes.activation = activation;
  node.set_attributes(attributes);
  return true;
}

bool take(Node& node, const Activation& activation) {
  switch (node.op) {
    case Op::kConv:
      return set_activation<ConvAttributes>(node, activation);
    case Op::kMatMul:
      return set_activation<MatMulAttributes>(node, activation);
    case Op::kAdd:
    case Op::kMul:
    case Op::kDiv:
      return set_activation<BinaryAttributes>(node, activation);
    default:
      return false;
  }
}

}  // namespace

void fuse_activation(Graph& graph) {
  Uses uses = find_uses(graph);
  for (Node& node : graph.nodes) {
    const std::optional<Activation> activation = activation_of(node);
    if (!activation || graph.values[node.inputs[0]].dtype != DType::kFloat32) continue;
    Node* producer = sole_producer(graph, uses, node.inputs[0]);
    if (producer != nullptr && take(*producer, *activation)) {
      merge_into(graph, uses, *producer, node);
    }
  }
  remove_nodes(graph, uses);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Moves quantize before nodes that only move elements, in one sweep against the data's flow.
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "planner/graph/rewrite.h"
#include "planner/passes/integers/moves.h"
#include "planner/passes/integers/scale.h"
#include "planner/passes/integers/steps.h"

namespace arenite::planner::quantize {
namespace {

class Raising {
 public:
  explicit Raising(Graph& graph) : graph_(graph), uses_(find_uses(graph)) {}

  void run() {
    for (size_t n = graph_.nodes.size(); n-- > 0;) {
      const auto found = raised_.find(static_cast<uint32_t>(n));
      if (found == raised_.end()) {
        emit(graph_.nodes[n]);
        continue;
      }
      const std::vector<Node> nodes = std::move(found->second);
      for (const Node& node : nodes) emit(node);
    }
    std::reverse(reversed_.begin(), reversed_.end());
    graph_.nodes = std::move(reversed_);
  }

 private:
  void emit(const Node& node) {
    if (node.op != Op::kQuantize || !raise(node)) reversed_.push_back(node);
  }

  bool raise(const Node& quantize) {
    const ValueId x = quantize.inputs[0];
    // Values that were added since are made by nodes that have been looked at.
    if (x >= uses_.producer.size()) return false;
    const Node* mover = sole_producer(graph_, uses_, x);
    if (mover == nullptr || raised_.contains(uses_.producer[x])) return false;
    const std::optional<Move> move = move_of(graph_, *mover);
    const std::optional<Quantization> scale = quantization_of(graph_, quantize);
    if (!move || move->is_larger || !scale || scale->axis || !takes(*mover, scale->dtype)) {
      return false;
    }
    Node node = *mover;
    if (!quantize_numbers(graph_, node, quantize)) return false;
    node.outputs[0] = quantize.outputs[0];
    append_sources(node, quantize);
    const ScaleConstants constants = add_scale(graph_, *scale, 0);
    std::vector<Node> nodes;
    std::map<ValueId, ValueId> integers;
    for (const size_t i : move->inputs) {
      const auto [entry, is_new] = integers.emplace(node.inputs[i], kNoValue);
      if (is_new) {
        const Value number = graph_.values[node.inputs[i]];
        entry->second = add_value(graph_, number.name, scale->dtype, number.dims);
        Node before = quantize;
        before.inputs = constants.inputs(node.inputs[i]);
        before.outputs = {entry->second};
        nodes.push_back(std::move(before));
      }
      node.inputs[i] = entry->second;
    }
    nodes.insert(nodes.begin(), std::move(node));
    raised_.emplace(uses_.producer[x], std::move(nodes));
    return true;
  }

  Graph& graph_;
  Uses uses_;
  std::map<uint32_t, std::vector<Node>> raised_;  // what takes a node's place, the last of it first
  std::vector<Node> reversed_;
};

}  // namespace

void raise_quantize(Graph& graph) { Raising(graph).run(); }

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0

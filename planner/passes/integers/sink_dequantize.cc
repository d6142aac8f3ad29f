// Moves dequantize behind nodes that only move elements, in one sweep along the data's flow.
#include <optional>
#include <vector>

#include "planner/graph/rewrite.h"
#include "planner/passes/integers/moves.h"
#include "planner/passes/integers/scale.h"
#include "planner/passes/integers/steps.h"

namespace arenite::planner::quantize {
namespace {

class Sinking {
 public:
  explicit Sinking(Graph& graph) : graph_(graph), dequantize_of_(graph.values.size(), kNoNode) {}

  void run() {
    for (Node& node : graph_.nodes) {
      if (!sink(node)) push(std::move(node));
    }
    graph_.nodes = std::move(nodes_);
  }

 private:
  void push(Node node) {
    if (node.op == Op::kDequantize) {
      dequantize_of_.resize(graph_.values.size(), kNoNode);
      dequantize_of_[node.outputs[0]] = static_cast<uint32_t>(nodes_.size());
    }
    nodes_.push_back(std::move(node));
  }

  const Node* dequantize_of(ValueId id) const {
    if (id == kNoValue || id >= dequantize_of_.size() || dequantize_of_[id] == kNoNode) {
      return nullptr;
    }
    return &nodes_[dequantize_of_[id]];
  }

  // The one scale of all that the node moves.
  std::optional<Quantization> common_scale(const Node& node, const Move& move) const {
    std::optional<Quantization> common;
    for (const size_t i : move.inputs) {
      const Node* dequantize = dequantize_of(node.inputs[i]);
      if (dequantize == nullptr) return {};
      const std::optional<Quantization> scale = quantization_of(graph_, *dequantize);
      if (!scale || (common && *common != *scale)) return {};
      common = scale;
    }
    if (common && (!takes(node, common->dtype) || (common->axis && !move.moves_axes))) return {};
    return common;
  }

  bool sink(const Node& original) {
    const std::optional<Move> move = move_of(graph_, original);
    if (!move) return false;
    const std::optional<Quantization> scale = common_scale(original, *move);
    if (!scale) return false;
    const std::optional<Quantization> behind = moved_scale(graph_, original, *scale);
    const Node dequantize = *dequantize_of(original.inputs[move->inputs[0]]);
    Node node = original;
    if (!behind || !quantize_numbers(graph_, node, dequantize)) return false;
    for (const size_t i : move->inputs) {
      const Node& before = *dequantize_of(node.inputs[i]);
      append_sources(node, before);
      node.inputs[i] = before.inputs[0];
    }
    if (!move->has_result) {
      push(std::move(node));
      return true;
    }
    const ValueId numbers = node.outputs[0];
    const Value result = graph_.values[numbers];
    node.outputs[0] = add_value(graph_, result.name, scale->dtype, result.dims);
    const ScaleConstants constants = add_scale(graph_, *behind, result.dims.size());
    Node after;
    after.op = Op::kDequantize;
    after.inputs = constants.inputs(node.outputs[0]);
    after.outputs = {numbers};
    after.sources = dequantize.sources;
    push(std::move(node));
    push(std::move(after));
    return true;
  }

  Graph& graph_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> dequantize_of_;  // of each value, among nodes_
};

}  // namespace

void sink_dequantize(Graph& graph) { Sinking(graph).run(); }

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0

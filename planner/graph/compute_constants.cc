// Computes values that are known while planning: the numbers of constant integers, and all that
// follows from them.
#include <algorithm>
#include <utility>

#include "planner/graph/eval.h"
#include "planner/graph/rewrite.h"
#include "planner/graph/simplify.h"

namespace arenite::planner {
namespace {

bool is_known(const Graph& graph, const Node& node) {
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
    return id == kNoValue || graph.values[id].constant != nullptr;
  });
}

bool is_output(const Graph& graph, ValueId id) {
  return std::find(graph.outputs.begin(), graph.outputs.end(), id) != graph.outputs.end();
}

// Outputs of the graph stay values that a node writes: copies of what was computed.
void keep_outputs(Graph& graph, const Node& node, std::vector<Node>& nodes) {
  for (const ValueId output : node.outputs) {
    if (output == kNoValue || !is_output(graph, output)) continue;
    const Value value = graph.values[output];
    Node copy;
    copy.op = Op::kCopy;
    copy.inputs = {add_value(graph, value.name, value.dtype, value.dims)};
    copy.outputs = {output};
    copy.sources = node.sources;
    graph.values[copy.inputs[0]].constant = std::exchange(graph.values[output].constant, nullptr);
    nodes.push_back(std::move(copy));
  }
}

}  // namespace

void compute_constants(Graph& graph, bool keep_dequantize) {
  std::vector<Node> nodes;
  for (Node& node : graph.nodes) {
    const bool waits = keep_dequantize && node.op == Op::kDequantize;
    const bool is_done = node.op == Op::kCopy && is_output(graph, node.outputs[0]);
    if (waits || is_done || !is_known(graph, node)) {
      nodes.push_back(std::move(node));
      continue;
    }
    evaluate(graph, node);
    keep_outputs(graph, node, nodes);
  }
  graph.nodes = std::move(nodes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Drops nodes, optional outputs and values that nothing reads.
#include <algorithm>

#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

bool needed(const Node& node, const std::vector<bool>& read) {
  return std::any_of(node.outputs.begin(), node.outputs.end(),
                     [&](ValueId id) { return id != kNoValue && read[id]; });
}

// Outputs beyond the first are made where wanted (core/contract.h).
void drop_optional_outputs(Node& node, const std::vector<bool>& read) {
  if (facts_of(node.op).keeps_outputs) return;
  const bool any = std::any_of(node.outputs.begin() + 1, node.outputs.end(),
                               [&](ValueId id) { return id != kNoValue && read[id]; });
  if (!any) node.outputs.resize(1);
}

// Renumbers values so that only those in use remain.
void compact(Graph& graph) {
  std::vector<bool> used(graph.values.size(), false);
  const auto mark = [&](const std::vector<ValueId>& ids) {
    for (const ValueId id : ids) {
      if (id != kNoValue) used[id] = true;
    }
  };
  for (const Node& node : graph.nodes) {
    mark(node.inputs);
    mark(node.outputs);
  }
  mark(graph.inputs);
  mark(graph.outputs);
  std::vector<ValueId> renumbered(graph.values.size(), kNoValue);
  std::vector<Value> values;
  for (ValueId id = 0; id < graph.values.size(); ++id) {
    if (!used[id]) continue;
    renumbered[id] = static_cast<ValueId>(values.size());
    values.push_back(std::move(graph.values[id]));
  }
  graph.values = std::move(values);
  const auto renumber = [&](std::vector<ValueId>& ids) {
    for (ValueId& id : ids) {
      if (id != kNoValue) id = renumbered[id];
    }
  };
  for (Node& node : graph.nodes) {
    renumber(node.inputs);
    renumber(node.outputs);
  }
  renumber(graph.inputs);
  renumber(graph.outputs);
}

}  // namespace

void dead_code(Graph& graph) {
  Uses uses = find_uses(graph);
  std::vector<bool> read(graph.values.size(), false);
  for (const ValueId id : graph.outputs) read[id] = true;
  for (size_t n = graph.nodes.size(); n-- > 0;) {
    Node& node = graph.nodes[n];
    uses.removed[n] = !needed(node, read);
    if (uses.removed[n]) continue;
    drop_optional_outputs(node, read);
    for (const ValueId id : node.inputs) {
      if (id != kNoValue) read[id] = true;
    }
  }
  remove_nodes(graph, uses);
  compact(graph);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Takes out nodes that hand their input on unchanged.
#include <algorithm>
#include <numeric>

#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/graph/simplify.h"

namespace arenite::planner {
namespace {

bool changes_nothing(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || node.inputs[0] == kNoValue || node.outputs.size() != 1) return false;
  const Value& x = graph.values[node.inputs[0]];
  const Value& y = graph.values[node.outputs[0]];
  if (x.dtype != y.dtype || !always(x.dims == y.dims)) return false;
  const OpFacts facts = facts_of(node.op);
  return facts.is_identity != nullptr && facts.is_identity(graph, node);
}

bool contains(const std::vector<ValueId>& ids, ValueId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

void replace_everywhere(Graph& graph, ValueId from, ValueId to) {
  for (Node& node : graph.nodes) {
    std::replace(node.inputs.begin(), node.inputs.end(), from, to);
    std::replace(node.outputs.begin(), node.outputs.end(), from, to);
  }
}

}  // namespace

void remove_identities(Graph& graph) {
  Uses uses = find_uses(graph);
  std::vector<ValueId> same(graph.values.size());
  std::iota(same.begin(), same.end(), ValueId{0});
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    Node& node = graph.nodes[n];
    for (ValueId& id : node.inputs) {
      if (id != kNoValue) id = same[id];
    }
    if (!changes_nothing(graph, node)) continue;
    const ValueId x = node.inputs[0];
    const ValueId y = node.outputs[0];
    if (!contains(graph.outputs, y)) {
      same[y] = x;
    } else {
      // The graph's output keeps its name: whoever makes x makes y instead.
      const bool free = graph.values[x].constant == nullptr && uses.producer[x] != kNoNode &&
                        !contains(graph.outputs, x);
      if (!free) continue;
      uses.producer[y] = uses.producer[x];
      node.inputs.clear();
      node.outputs.clear();
      replace_everywhere(graph, x, y);
      std::replace(same.begin(), same.end(), x, y);
    }
    if (uses.producer[x] != kNoNode) append_sources(graph.nodes[uses.producer[x]], node);
    uses.removed[n] = true;
  }
  remove_nodes(graph, uses);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Counts what computes with numbers between quantized values, and says why.
#include <algorithm>
#include <map>

#include "core/contract.h"
#include "planner/graph/names.h"
#include "planner/graph/op_facts.h"
#include "planner/passes/integers/scale.h"
#include "planner/passes/integers/steps.h"

namespace arenite::planner::quantize {
namespace {

// Values that follow from what is dequantized at run time; and those of which something quantized
// follows. Neither reaches beyond integers.
struct Between {
  std::vector<bool> behind, before;
};

Between find_between(const Graph& graph) {
  Between between{std::vector<bool>(graph.values.size()), std::vector<bool>(graph.values.size())};
  const auto any = [](const std::vector<ValueId>& ids, const std::vector<bool>& marked) {
    return std::any_of(ids.begin(), ids.end(),
                       [&](ValueId id) { return id != kNoValue && marked[id]; });
  };
  const auto mark = [](const std::vector<ValueId>& ids, std::vector<bool>& marked) {
    for (const ValueId id : ids) {
      if (id != kNoValue) marked[id] = true;
    }
  };
  for (const Node& node : graph.nodes) {
    const bool starts =
        node.op == Op::kDequantize && graph.values[node.inputs[0]].constant == nullptr;
    if (starts || (node.op != Op::kQuantize && any(node.inputs, between.behind))) {
      mark(node.outputs, between.behind);
    }
  }
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const bool ends = node->op == Op::kQuantize;
    if (ends) {
      between.before[node->inputs[0]] = true;
    } else if (node->op != Op::kDequantize && any(node->outputs, between.before)) {
      mark(node->inputs, between.before);
    }
  }
  return between;
}

bool touches_integers(const Graph& graph, const Node& node) {
  const auto is_float = [&](ValueId id) {
    return id != kNoValue && has(types::kFloat, graph.values[id].dtype);
  };
  return !std::any_of(node.inputs.begin(), node.inputs.end(), is_float) &&
         !std::any_of(node.outputs.begin(), node.outputs.end(), is_float);
}

std::string why_not(const QuantizedSteps& steps, const Node& node) {
  for (const std::string& source : node.sources) {
    const auto refusal = steps.refusals.find({source, node.op});
    if (refusal != steps.refusals.end()) return refusal->second;
  }
  return "no integer operator does it";
}

}  // namespace

void count_float_steps(Graph& graph) {
  if (!graph.quantized_steps) return;
  const Between between = find_between(graph);
  QuantizedSteps& steps = *graph.quantized_steps;
  std::map<std::string, std::vector<std::string>> names;  // of nodes, by operator and reason
  for (const Node& node : graph.nodes) {
    const bool moves = facts_of(node.op).view != nullptr || node.op == Op::kCopy;
    if (is_scaling(node) || moves) continue;
    if (facts_of(node.op).is_integer && touches_integers(graph, node)) {
      ++steps.integers;
      continue;
    }
    const ValueId made = node.outputs[0];
    const bool inside = made != kNoValue && between.before[made] &&
                        std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
                          return id != kNoValue && between.behind[id];
                        });
    if (!inside) continue;
    ++steps.floats;
    names[op_name(node.op) + ": " + why_not(steps, node)].push_back(
        node.sources.empty() ? "" : node.sources[0]);
  }
  for (const auto& [reason, nodes] : names) {
    steps.reasons.push_back(std::to_string(nodes.size()) + " " + reason + " (" +
                            printable(nodes[0]) + (nodes.size() > 1 ? ", ...)" : ")"));
  }
  if (steps.floats == 0 && steps.integers == 0) graph.quantized_steps.reset();
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0

// Compares each option with the one that was taken.
#include "planner/steps/decide/explain.h"

#include <algorithm>

#include "planner/graph/names.h"
#include "planner/steps/decide/costs.h"

namespace arenite::planner {
namespace {

std::string why_taken(assignment::Cost cost, assignment::Cost least) {
  return cost == least ? "costs least" : "the sum over all steps and transfers is least with it";
}

std::string why_not_taken(assignment::Cost cost, assignment::Cost taken) {
  if (cost > taken) return "costs more";
  return cost == taken ? "costs the same, and comes later"
                       : "costs less alone, but not with the transfers that it takes";
}

}  // namespace

bool is_called(const Node& node, const std::string& name) {
  return node_name(node) == name || std::ranges::find(node.sources, name) != node.sources.end();
}

std::vector<std::string> node_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) {
    names.insert(names.end(), node.sources.begin(), node.sources.end());
  }
  return names;
}

ExplainedStep explain(const Node& node, const StepOptions& all, const StepOption& taken) {
  ExplainedStep result{node_name(node), op_name(node.op), all.is_measured, {}};
  const auto is_taken = [&](const StepOption& option) {
    return option.where == taken.where && option.form == taken.form;
  };
  assignment::Cost cost = 0, least = assignment::kImpossible;
  for (const StepOption& option : all.options) {
    if (is_taken(option)) cost = option.cost;
    least = std::min(least, option.cost);
  }
  for (const StepOption& option : all.options) {
    const bool is_it = is_taken(option);
    result.options.push_back({option_name(*option.form, option.where), option.cost, is_it,
                              is_it ? why_taken(cost, least) : why_not_taken(option.cost, cost)});
  }
  std::ranges::stable_sort(result.options, {}, [](const ExplainedOption& option) {
    return std::pair(!option.taken, *option.cost);
  });
  for (const RefusedOption& option : all.refused) {
    result.options.push_back({option.name, std::nullopt, false, option.why});
  }
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

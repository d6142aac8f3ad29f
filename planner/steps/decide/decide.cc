// States the options of all steps as one assignment problem, and makes the steps that it chooses.
#include "planner/steps/decide/decide.h"

#include <utility>

#include "planner/steps/decide/options.h"

namespace arenite::planner {
namespace {

using format::Where;

}  // namespace

Schedule decide(const Graph& graph, const LaidGraph& laid, const Target& target,
                ConstantPool& pool) {
  StepMaker maker(graph, laid, pool);
  std::vector<StepOptions> options;
  assignment::Problem problem;
  for (const LaidNode& node : laid.nodes) {
    options.emplace_back();
    if (node.view) {
      // A step that reads a view of a constant reads a constant: the view needs no step.
      if (node.outputs[0]->constant) continue;
      options.back().steps.push_back(maker.make(node, Packings{}));
      options.back().options.push_back({Where::kView, nullptr, 0, 0});
    } else {
      options.back() = options_of(node, graph, laid, target, maker, pool);
    }
    problem.nodes.emplace_back();
    for (const StepOption& option : options.back().options) {
      problem.nodes.back().push_back(option.cost);
    }
  }
  const assignment::Choice rule(problem.nodes.size());
  const assignment::Choice choice = assignment::solve(problem, rule).choice;
  std::vector<ScheduledStep> steps;
  for (StepOptions& of_node : options) {
    if (of_node.options.empty()) continue;
    const StepOption& taken = of_node.options[choice[steps.size()]];
    steps.push_back(std::move(of_node.steps[taken.step]));
    steps.back().where = taken.where;
  }
  return lower(laid, std::move(steps), target.threads_max, pool);
}

Schedule lower_for_cpu(const Graph& graph, const Board& board, const TargetForms& forms,
                       ConstantPool& pool) {
  return decide(graph, lay_out(graph, forms), cpu_target(board, forms), pool);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

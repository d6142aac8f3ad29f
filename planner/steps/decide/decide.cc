// States the options of all steps as one assignment problem, and makes the steps that it chooses.
#include "planner/steps/decide/decide.h"

#include <algorithm>
#include <utility>

#include "planner/steps/decide/kept_conditions.h"
#include "planner/steps/decide/options.h"
#include "planner/steps/decide/transfers.h"
#include "support/printable.h"

namespace arenite::planner {
namespace {

using format::Where;

class Decision {
 public:
  Decision(const Graph& graph, const LaidGraph& laid, const Target& target, ConstantPool& pool)
      : graph_(graph), laid_(laid), target_(target), pool_(pool), maker_(graph, laid, pool) {}

  Decided run() {
    for (const LaidNode& node : laid_.nodes) add_options(node);
    assignment::Problem problem;
    for (const StepOptions& step : options_) {
      problem.nodes.emplace_back();
      for (const StepOption& option : step.options) problem.nodes.back().push_back(option.cost);
    }
    assignment::Choice rule(options_.size());
    if (target_.costs != nullptr && target_.shaders) {
      add_transfers(options_, laid_, target_.costs->transfer, problem, rule);
    }
    Decided decided;
    decided.rule_cost = assignment::cost_of(problem, rule);
    assignment::Solution best = assignment::solve(problem, rule);
    decided.cost = best.cost;
    assignment::Choice choice = std::move(best.choice);
    if (target_.shaders && target_.given_forms.empty()) keep_on_cpu(options_, laid_, choice);
    std::vector<ScheduledStep> steps;
    for (size_t s = 0; s < options_.size(); ++s) {
      const StepOption& taken = options_[s].options[choice[s]];
      add_explanation(*nodes_[s], taken, decided.explained);
      steps.push_back(std::move(options_[s].steps[taken.step]));
      steps.back().where = taken.where;
    }
    decided.schedule = lower(laid_, std::move(steps), target_.threads_max, pool_);
    return decided;
  }

 private:
  void add_options(const LaidNode& node) {
    if (!node.view) {
      options_.push_back(
          options_of(node, target_, OptionScope::kNeeded, maker_, pool_, given_option(node)));
    } else if (!node.outputs[0]->constant) {
      options_.push_back(
          {{maker_.make(node, Packings{})}, {{Where::kView, nullptr, 0, 0}}, false, {}});
    } else {
      return;  // A step that reads a view of a constant reads a constant: the view needs no step.
    }
    nodes_.push_back(&node);
  }

  // What the next step must have.
  GivenOption given_option(const LaidNode& node) const {
    if (target_.given_forms.empty()) return {};
    const size_t step = options_.size();
    const Form* form = step < target_.given_forms.size() ? target_.given_forms[step] : nullptr;
    if (form != nullptr && form->op == node.node.op) {
      return {form, target_.given_machines[step]};
    }
    throw InputError("node " + printable(node_name(node.node)) + ": another step is expected");
  }

  // Asked for all options, a node makes constants that no step reads: in a pool of its own.
  void add_explanation(const LaidNode& node, const StepOption& taken,
                       std::vector<ExplainedStep>& explained) const {
    const bool is_asked = std::ranges::any_of(
        target_.explained, [&](const std::string& name) { return is_called(node.node, name); });
    if (!is_asked) return;
    StepOptions all;
    if (!node.view) {
      ConstantPool pool;
      StepMaker maker(graph_, laid_, pool);
      all = options_of(node, target_, OptionScope::kAll, maker, pool);
    }
    explained.push_back(explain(node.node, all, taken));
  }

  const Graph& graph_;
  const LaidGraph& laid_;
  const Target& target_;
  ConstantPool& pool_;
  StepMaker maker_;
  std::vector<const LaidNode*> nodes_;  // of the steps
  std::vector<StepOptions> options_;
};

}  // namespace

Decided decide(const Graph& graph, const LaidGraph& laid, const Target& target,
               ConstantPool& pool) {
  return Decision(graph, laid, target, pool).run();
}

Schedule lower_for_cpu(const Graph& graph, const Board& board, const TargetForms& forms,
                       ConstantPool& pool) {
  return decide(graph, lay_out(graph, forms), cpu_target(board, forms), pool).schedule;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

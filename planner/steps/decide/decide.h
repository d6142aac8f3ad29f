// Decides who computes each step of a laid-out graph, and lowers it to these steps.
//
//   graph --> layout --> options of each step --> assignment --> lowered steps
//                        {machine, form,          of least sum   and their machines
//                         packings, cost}
#pragma once

#include <vector>

#include "planner/steps/decide/explain.h"
#include "planner/steps/decide/target.h"
#include "planner/steps/lower/lower.h"

namespace arenite::planner {

struct Decided {
  Schedule schedule;
  std::vector<ExplainedStep> explained;  // of Target::explained
  assignment::Cost cost = 0;             // the sum
  assignment::Cost rule_cost = 0;        // if each step took its first option
};

// Of all assignments of options to steps, one whose costs and transfers between machines sum to
// least; the first option of each step (planner/steps/decide/options.h) where no other sums to
// less, but for conditions that stay on the CPU (planner/steps/decide/kept_conditions.h). Constants
// go into `pool`. Throws InputError where a value is too large for the format or there is no form
// for a step.
Decided decide(const Graph& graph, const LaidGraph& laid, const Target& target, ConstantPool& pool);

// The steps of a graph on the board's CPU, in the layout of its forms.
Schedule lower_for_cpu(const Graph& graph, const Board& board, const TargetForms& forms,
                       ConstantPool& pool);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

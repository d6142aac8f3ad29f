// Sums predicted steps; fits once more for each program that is left out.
#include "tools/calibrate/judge.h"

#include <cmath>
#include <cstdio>
#include <set>

#include "planner/steps/decide/costs.h"
#include "support/printable.h"
#include "tools/calibrate/board_costs.h"

namespace arenite::tools {
namespace {

constexpr double kPicosecondsInMicrosecond = 1e6;

std::optional<double> predicted(const planner::FormCosts& costs, const MeasuredProgram& program) {
  double sum = 0;
  for (const CostSample& step : program.steps) {
    const planner::MeasuredCost* cost = find_cost(costs, step.form, step.which);
    if (cost == nullptr) return std::nullopt;
    sum += planner::picoseconds(*cost, step.size);
  }
  return sum;
}

std::vector<std::string> lacking(const planner::FormCosts& costs, const MeasuredProgram& program) {
  std::set<std::string> forms;
  for (const CostSample& step : program.steps) {
    if (find_cost(costs, step.form, step.which) == nullptr) forms.insert(step.form);
  }
  return {forms.begin(), forms.end()};
}

planner::FormCosts fitted_without(std::span<const MeasuredProgram> programs,
                                  const MeasuredProgram* left) {
  std::vector<CostSample> samples;
  for (const MeasuredProgram& program : programs) {
    if (&program == left) continue;
    samples.insert(samples.end(), program.steps.begin(), program.steps.end());
  }
  return fit_costs(samples);
}

// "+3.1 %", or "?".
std::string error_text(std::optional<double> predicted_ps, double measured_ps) {
  if (!predicted_ps || measured_ps <= 0) return "?";
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f %%", 100 * (*predicted_ps / measured_ps - 1));
  return text;
}

}  // namespace

FittedBoard judge(std::span<const CostSample> cases, std::span<const MeasuredProgram> programs) {
  FittedBoard fitted;
  fitted.costs = fit_costs(cases);
  for (const MeasuredProgram& program : programs) {
    Judgement one;
    one.name = program.name;
    for (const CostSample& step : program.steps) one.measured_ps += step.ps;
    one.predicted_ps = predicted(fitted.costs, program);
    one.lacking = lacking(fitted.costs, program);
    fitted.judgements.push_back(one);
  }
  return fitted;
}

FittedBoard fit_and_judge(std::span<const MeasuredProgram> programs) {
  FittedBoard fitted;
  fitted.costs = fitted_without(programs, nullptr);
  for (const MeasuredProgram& program : programs) {
    Judgement one;
    one.name = program.name;
    for (const CostSample& step : program.steps) one.measured_ps += step.ps;
    one.predicted_ps = predicted(fitted.costs, program);
    if (programs.size() > 1) {
      one.left_out_ps = predicted(fitted_without(programs, &program), program);
    }
    fitted.judgements.push_back(one);
  }
  return fitted;
}

std::string to_text(const FittedBoard& fitted) {
  std::string text = "    measured us   fitted   left out  program\n";
  for (const Judgement& one : fitted.judgements) {
    char line[96];
    std::snprintf(line, sizeof line, "%15.1f %8s %10s  ",
                  one.measured_ps / kPicosecondsInMicrosecond,
                  error_text(one.predicted_ps, one.measured_ps).c_str(),
                  error_text(one.left_out_ps, one.measured_ps).c_str());
    text += line + printable(one.name);
    for (size_t i = 0; i < one.lacking.size(); ++i) {
      text += (i == 0 ? ": no costs of " : ", ") + one.lacking[i];
    }
    text += "\n";
  }
  return text + std::to_string(count_entries(fitted.costs)) + " costs of forms\n";
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

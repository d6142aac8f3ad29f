// Holds fitted costs against what programs took.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/calibrate/fit_costs.h"

namespace arenite::tools {

// The steps of one program, as they were measured.
struct MeasuredProgram {
  std::string name;
  std::vector<CostSample> steps;
};

struct Judgement {
  std::string name;
  double measured_ps = 0;  // the sum of all steps
  // By costs that are fitted to all programs, or to cases; nothing where these lack one of its
  // forms.
  std::optional<double> predicted_ps;
  std::vector<std::string> lacking;  // those of its forms that have no costs, each once
  // By costs that are fitted to the others alone; nothing where they lack one of its forms.
  std::optional<double> left_out_ps;
};

struct FittedBoard {
  planner::FormCosts costs;
  std::vector<Judgement> judgements;  // of each program
};

FittedBoard fit_and_judge(std::span<const MeasuredProgram> programs);
// Costs that are fitted to other steps than the programs'.
FittedBoard judge(std::span<const CostSample> cases, std::span<const MeasuredProgram> programs);

std::string to_text(const FittedBoard& fitted);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

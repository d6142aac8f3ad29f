// Fits the costs of forms to steps that were measured.
#pragma once

#include <span>
#include <string>

#include "planner/board/costs.h"
#include "planner/graph/step_size.h"

namespace arenite::tools {

struct CostSample {
  std::string form;   // "Conv.float32"
  std::string which;  // case of the form (planner/graph/step_size.h); empty for most
  planner::StepSize size{};
  double ps = 0;  // measured
};

// Each case of a form that was measured, and each form with the costs of its case of most samples,
// for cases that were not.
planner::FormCosts fit_costs(std::span<const CostSample> samples);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

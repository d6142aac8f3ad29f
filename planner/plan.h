// The planner's one entry: models in, a checked program file and a report out.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "planner/options.h"
#include "planner/report/report.h"

namespace arenite::planner {

struct PlanResult {
  std::vector<std::byte> program;
  PlanReport report;
};

// A program that is right but too big for its board: exit status 1. what() has what is short of how
// much.
struct DoesNotFitError : std::runtime_error {
  explicit DoesNotFitError(PlanReport figures);
  PlanReport report;  // with shortages
};

// One method a model. The program has been opened and each variant loaded before it is returned.
// Throws InputError for a model, board or option that cannot be used; DoesNotFitError.
PlanResult plan_models(const std::vector<ModelFile>& models, const PlanOptions& options);
PlanResult plan_graphs(const std::vector<NamedGraph>& graphs, const PlanOptions& options);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

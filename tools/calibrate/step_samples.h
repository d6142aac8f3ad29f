// Steps of a program that were measured, as samples of their forms' costs.
#pragma once

#include <optional>
#include <vector>

#include "core/cpu_features.h"
#include "tools/calibrate/fit_costs.h"
#include "tools/run/cost_table.h"
#include "tools/run/program_file.h"

namespace arenite::tools {

// `table` has what steps of the variant took, in units of `ps_per_cost`. Steps of the CPU are those
// of the forms that a CPU with `features` chooses; nothing: of those that are planned. Steps
// without a cost, transfers and steps that the run left out are not among the samples.
std::vector<CostSample> step_samples(const ProgramFile& file, uint32_t method, uint32_t variant,
                                     const CostTable& table, double ps_per_cost,
                                     std::optional<CpuFeatures> features);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

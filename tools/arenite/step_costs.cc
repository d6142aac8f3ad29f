// Divides what the counter saw by runs.
#include "tools/arenite/step_costs.h"

#include <algorithm>

namespace arenite::tools {

CostTable step_costs(const ProgramFile& file, uint32_t method, const planner::Board& board,
                     const TargetResult& result) {
  std::vector<StepRow> rows = step_table(file, method, find_target_variant(file, method, board));
  const auto runs = static_cast<double>(std::max<uint64_t>(1, result.tasks[0].runs));
  if (result.step_instructions.size() != rows.size()) {
    throw RunError("the instruction counter saw " +
                   std::to_string(result.step_instructions.size()) + " steps, expected " +
                   std::to_string(rows.size()));
  }
  double outside = static_cast<double>(result.instructions);
  std::vector<std::optional<double>> costs;
  for (const uint64_t instructions : result.step_instructions) {
    costs.emplace_back(static_cast<double>(instructions) / runs);
    outside -= static_cast<double>(instructions);
  }
  return make_cost_table(std::move(rows), costs, outside / runs);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// The instructions of each step on a board.
#pragma once

#include "planner/board/board.h"
#include "tools/run/cost_table.h"
#include "tools/target/target.h"

namespace arenite::tools {

// Of one run of the first task. Throws RunError where the counter saw other steps than there are.
CostTable step_costs(const ProgramFile& file, uint32_t method, const planner::Board& board,
                     const TargetResult& result);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// Draws the memories that do not hold what an image puts there: a bar each, with its limit.
#pragma once

#include <span>
#include <string>

#include "planner/report/picture/section.h"

namespace arenite::picture {

// Draws the memories of `board`; `top` moves below them.
std::string short_program_memories_svg(std::span<const planner::ProgramMemoryReport> memories,
                                       const std::string& board, double left, double& top);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

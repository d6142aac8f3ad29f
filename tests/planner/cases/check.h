// Compares what becomes of a case's model with what the case expects.
#pragma once

#include <string>
#include <vector>

#include "tests/planner/cases/case.h"

namespace arenite::planner::cases {

// Lists differences from the expectations, each "path:line: case NAME: expected ..., found ...";
// empty if there are none. Differences between results before and after the passes are GoogleTest's
// failures.
std::vector<std::string> check(const Case& test, const CaseFile& file);

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0

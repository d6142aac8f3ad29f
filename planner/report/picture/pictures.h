// Pictures of what the commands made: of a program's plan, and of a planning problem's.
#pragma once

#include <string>

#include "planner/memplan/memplan.h"
#include "planner/report/report.h"

namespace arenite::picture {

// An SVG with a panel for each memory of each variant, and a page (see page.h) of all variants,
// also of plans that do not fit. `program` is the file's path, empty if none is written.
std::string to_svg(const planner::PlanReport& report, const std::string& program);
std::string to_html(const planner::PlanReport& report, const std::string& program);

// The same of a problem.
std::string to_svg(const memory::MemplanResult& result);
std::string to_html(const memory::MemplanResult& result);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

// Pictures of what the commands made: of a program's plan, and of a planning problem's.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "planner/memplan/memplan.h"
#include "planner/report/report.h"

namespace arenite::picture {

// What a page shows besides the report of the plan.
struct PageExtras {
  std::span<const std::byte> file = {};  // the program; empty where none is written
  std::string command;                   // that made it, as one would type it
  std::string timings, timings_name;     // JSON of `bench`, `run --profile` or `target bench`
  std::string before, before_name;       // the page of an earlier plan
};

// An SVG with a panel for each memory of each variant, and a page (see page.h) of all variants,
// also of plans that do not fit. `program` is the file's path, empty if none is written.
std::string to_svg(const planner::PlanReport& report, const std::string& program);
// Throws InputError for times of other steps, and for what is no page of a plan.
std::string to_html(const planner::PlanReport& report, const std::string& program,
                    const PageExtras& extras = {});

// The same of a problem.
std::string to_svg(const memory::MemplanResult& result);
std::string to_html(const memory::MemplanResult& result);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

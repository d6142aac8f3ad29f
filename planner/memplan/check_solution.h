// What `arenite memplan --check` does: holds anyone's solution against its problem.
#pragma once

#include <string>

#include "planner/memplan/memplan.h"

namespace arenite::memory {

// Checks the file `solution_path` against the problem of the options; where the problem's path is
// empty or the same, that file holds both, and its offsets are the solution's alone. What plans
// (algorithm, time limit, seed) does not matter. Sets `verdict`, and `report` where every buffer
// has a place. Throws InputError as run_memplan, and for a solution that is no table (see
// read_solution).
MemplanResult check_solution(const MemplanOptions& options, const std::string& solution_path);

// "SOLUTION.csv, row 3: buffer 'b' in memory 'm' at [0, 64), ... overlaps ... (row 2)"
std::string message(const Verdict& verdict, const Fault& fault);

// The verdict for people; lines end in '\n'.
std::string verdict_text(const MemplanResult& result);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

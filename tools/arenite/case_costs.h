// Clocks of operator cases on a board, as samples of forms' costs.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "planner/board/board.h"
#include "tools/calibrate/fit_costs.h"
#include "tools/run/program_file.h"
#include "tools/target/target.h"

namespace arenite::tools {

// Instructions in an emulator, else nanoseconds, of one run of each method.
struct CaseClocks {
  bool in_emulator = true;
  std::map<std::string, uint64_t> by_method;
};

// Runs each method of a program of cases. A case at which the board fails is left out, and the
// board is started again. Throws RunError where it fails at all of them.
CaseClocks clock_cases(const planner::Board& board, const ProgramFile& cases,
                       const TargetOptions& options);

// A log has a line for each method, its name and its clock, below one that names the board and the
// unit.
std::string to_log(const CaseClocks& clocks, const std::string& board);
// Throws InputError with the line at which `text` is no such log, or where it is another board's.
CaseClocks read_log(const std::string& text, const std::string& file, const std::string& board);

// The methods that have one step, without what a run takes beside its steps. Throws InputError
// where a method of the program that tells the latter has no clock.
std::vector<CostSample> case_samples(const planner::Board& board, const ProgramFile& cases,
                                     const CaseClocks& clocks, double instruction_ps);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// What `--calibrate` fits, writes and says.
#pragma once

#include <span>
#include <string>

#include "planner/board/board.h"
#include "tools/arenite/options.h"
#include "tools/calibrate/judge.h"

namespace arenite::tools {

// --calibrate FILE. `measures` says by what.
void add_calibrate(Options& options, std::string& file, const std::string& measures);

// Without --calibrate there is one program. Throws InputError.
void expect_one_program(const std::vector<std::string>& programs);

// Fits costs to the samples of `cases`, or where there are none to the programs, writes the board
// with them to `file`, which keeps what it has of other forms where it is there, and prints how
// well they fit.
void write_calibration(const planner::Board& board, const std::string& file,
                       std::span<const MeasuredProgram> programs, std::span<const CostSample> cases,
                       bool json);

std::string to_json(const FittedBoard& fitted, const std::string& file);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// Reads the file that is there, else the board's own, and puts the costs in.
#include "tools/arenite/calibrate_report.h"

#include <filesystem>

#include "support/file.h"
#include "support/output.h"
#include "support/printable.h"
#include "tools/calibrate/board_costs.h"

namespace arenite::tools {

void add_calibrate(Options& options, std::string& file, const std::string& measures) {
  options
      .add(
          "--calibrate", file,
          "Fit the costs of forms to the steps of all programs, by " + measures +
              ", and write the board with these costs to this file, for plans and predicted times; "
              "costs of other forms that it has stay")
      .value_name("FILE");
}

void expect_one_program(const std::vector<std::string>& programs) {
  if (programs.size() == 1) return;
  throw InputError("expected one program without --calibrate, found " +
                   std::to_string(programs.size()) + ": " + quote(programs[0]) + ", " +
                   quote(programs[1]) + (programs.size() > 2 ? ", ..." : ""));
}

void write_calibration(const planner::Board& board, const std::string& file,
                       std::span<const MeasuredProgram> programs, std::span<const CostSample> cases,
                       bool json) {
  const FittedBoard fitted = cases.empty() ? fit_and_judge(programs) : judge(cases, programs);
  const bool is_there = std::filesystem::exists(file);
  const std::vector<std::byte> bytes = read_file(is_there ? file : board.file.string());
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string with = with_costs(text, file, fitted.costs);
  static_cast<void>(planner::read_board(with, file));
  write_file(file, with);
  print_text(json ? to_json(fitted, file) + "\n" : to_text(fitted));
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

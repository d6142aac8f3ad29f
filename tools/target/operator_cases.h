// Makes a program of cases of every operator for a board, with what is expected of each.
#pragma once

#include <filesystem>
#include <string>

namespace arenite::tools {

// `board` is a name or a file. Throws RunError where this installation has no cases, or they cannot
// be planned for the board.
void write_operator_cases(const std::string& board, const std::filesystem::path& program);

// The same of a program of cases whose clocks tell what forms cost; nothing is expected of them.
void write_cost_cases(const std::string& board, const std::filesystem::path& program);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

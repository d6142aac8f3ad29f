// Brings a board on a line back to its start by a command of the user's, such as a debug probe's.
#pragma once

#include <string>

namespace arenite::tools {

// Runs the command in a shell and waits for its end. Throws RunError with what it said where it
// fails, or takes longer than two minutes.
void reset_board(const std::string& command);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// Which board a command talks to, where it is, and for how long it may be silent.
#pragma once

#include <optional>
#include <string>

#include "planner/board/board.h"
#include "tools/arenite/options.h"
#include "tools/target/target.h"

namespace arenite::tools {

struct BoardArguments {
  std::string board;
  std::string port, exec, reset;
  uint32_t baud = 115200;
  std::optional<double> timeout;

  // What of it a session needs.
  TargetOptions options() const;
};

// --board, --port, --baud, --exec, --reset and --timeout.
void add_board(Options& options, BoardArguments& arguments);

// Throws InputError that lists the boards with an emulator, where the board has none and nothing
// says where it is; and where only a board on a line could be reset.
planner::Board find_target_board(const BoardArguments& arguments);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// Finds a board by its emulator or by its line.
#include "tools/arenite/target_board.h"

#include <cstdlib>

#include "support/printable.h"
#include "support/suggest.h"
#include "support/word_errors.h"

namespace arenite::tools {

TargetOptions BoardArguments::options() const {
  TargetOptions options;
  options.place = {port, baud, exec, reset};
  options.timeout_seconds = timeout;
  return options;
}

void add_board(Options& options, BoardArguments& arguments) {
  options.add("--board", arguments.board, "The board").value_name("NAME|FILE").required();
  const Option port = options
                          .add("--port", arguments.port,
                               "Talk to the harness of a board on this serial port or connection, "
                               "in place of the board's emulator")
                          .value_name("DEVICE|tcp:HOST:PORT");
  options.add("--baud", arguments.baud, "Speed of a serial port").value_name("N").shows_default();
  options
      .add("--exec", arguments.exec,
           "Talk to it over the standard input and output of this shell command")
      .value_name("COMMAND")
      .excludes(port);
  options
      .add("--reset", arguments.reset,
           "Reset a board on a line by this shell command when it does not answer or has failed")
      .value_name("COMMAND");
  options
      .add(
          "--timeout", arguments.timeout,
          "Give a board up after so many seconds of silence (default: 3600 while it loads or runs, "
          "else 60)")
      .value_name("S")
      .check([](const std::string& text) {
        const double seconds = std::strtod(text.c_str(), nullptr);
        return seconds >= 0.001 && seconds <= 1e6
                   ? ""
                   : "expected seconds from 0.001 to 1000000, found " + quote(text);
      });
}

planner::Board find_target_board(const BoardArguments& arguments) {
  planner::Board board = planner::find_board(arguments.board);
  if (!arguments.reset.empty() && arguments.options().place.in_emulator()) {
    throw InputError("--reset is about a board on a line: give --port or --exec too");
  }
  if (board.emulator || !arguments.options().place.in_emulator()) return board;
  std::vector<std::string> others;
  for (const std::string& other : planner::board_names()) {
    if (planner::find_board(other).emulator) others.push_back(other);
  }
  throw PlaceError("board " + board.name + " has no emulator, expected " +
                       (others.empty() ? "one that has" : listed(others)) +
                       "; one that is on a line is found by --port or --exec",
                   arguments.board, others);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// Boards for tests that plan many graphs.
#pragma once

#include "planner/board/board.h"

namespace arenite::test {

// A board of which nobody knows how large code is: each plan would read that from a large table.
inline planner::Board unmeasured_board(const char* name) {
  planner::Board board = planner::find_board(name);
  board.toolchain.clear();
  return board;
}

// One whose CPU has no features: references compute what no scalar form does, without scratch.
inline planner::Board plain_board(const char* name) {
  planner::Board board = unmeasured_board(name);
  board.cpu_features = 0;
  for (planner::BoardVariant& variant : board.variants) variant.cpu_features = 0;
  return board;
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

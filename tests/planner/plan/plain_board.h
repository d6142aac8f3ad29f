// A board whose CPU has no features: references compute what no scalar form does, without scratch.
#pragma once

#include "planner/board/board.h"

namespace arenite::test {

inline planner::Board plain_board(const char* name) {
  planner::Board board = planner::find_board(name);
  board.cpu_features = 0;
  for (planner::BoardVariant& variant : board.variants) variant.cpu_features = 0;
  return board;
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

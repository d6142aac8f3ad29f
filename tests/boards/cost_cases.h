// Cases whose steps are as large and as various as those of networks, for boards' costs.
#pragma once

#include <vector>

#include "tests/ops/case.h"

namespace arenite::boards_test {

struct CostCase {
  ops_test::OpCase op;
  uint32_t inputs = 1;  // the first operands; the others are constants, as weights are
};

// Convolutions and products of many shapes, dims of networks for operators whose operands all have
// the same, and some given cases of every other operator. Names are unique within an operator.
// `large`: also layers of hosts, which do not fit a microcontroller nor a CPU's caches, and such as
// are too small for its vectors.
std::vector<CostCase> cost_cases(bool large);

}  // namespace arenite::boards_test
// SPDX-License-Identifier: Apache-2.0

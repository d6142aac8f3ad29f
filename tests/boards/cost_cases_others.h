// Cases for boards' costs of operators that are no convolutions and no products.
#pragma once

#include <vector>

#include "tests/boards/cost_cases.h"

namespace arenite::boards_test {

// Copies, concatenations, parts and padding of rows and pictures, together and apart.
std::vector<CostCase> cost_cases_of_moves();

// Recurrent layers, pools of integers, softmax and resizing, with dims of networks.
std::vector<CostCase> cost_cases_of_layers();

// The places of the greatest, elements picked by numbers and put elsewhere, and reductions.
std::vector<CostCase> cost_cases_of_picks();

}  // namespace arenite::boards_test
// SPDX-License-Identifier: Apache-2.0

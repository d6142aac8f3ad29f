// Cases for boards' costs of operators that are no convolutions and no products.
#pragma once

#include <vector>

#include "tests/boards/cost_cases.h"

namespace arenite::boards_test {

// Copies, concatenations, parts and padding of rows and pictures, together and apart.
std::vector<CostCase> cost_cases_of_moves();

// Recurrent layers, pools of integers, softmax, resizing and the places of the greatest, with dims
// of networks.
std::vector<CostCase> cost_cases_of_layers();

}  // namespace arenite::boards_test
// SPDX-License-Identifier: Apache-2.0

// Operand shapes and types that add, mul and div are all tried with.
#pragma once

#include <vector>

#include "tests/ops/case.h"

namespace arenite::ops_test {

std::vector<OpCase> binary_cases();

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

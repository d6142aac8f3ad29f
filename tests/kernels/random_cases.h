// Random but valid cases of the operators that shaders do, with operands laid out in any way.
#pragma once

#include <vector>

#include "tests/ops/case.h"

namespace arenite::test {

// `count` cases of types and forms that shaders do, the same for the same seed: drawn for the
// operator, or its own cases laid out anew.
std::vector<ops_test::OpCase> random_cases(Op op, uint32_t count, uint32_t seed);

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

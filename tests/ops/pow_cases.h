// Cases of pow that its family does not have: operands of two types.
#pragma once

#include <vector>

#include "tests/ops/case.h"

namespace arenite::ops_test {

// The cases of the family with numbers that have powers, and cases of two types.
std::vector<OpCase> cases_of_pow(std::vector<OpCase> of_family);

// a^b as a number of the type: of integers exact and wrapping for whole b, else towards zero and
// saturating.
Number power_of(DType type, Number a, Number b);

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

// Cases of mul: those of all elementwise operators of two inputs.
#include "tests/ops/binary_cases.h"
#include "tests/ops/cases.h"

namespace arenite::ops_test {

std::vector<OpCase> mul_cases() { return binary_cases(); }

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

// The cases of every operator, by name.
#pragma once

#include <vector>

#include "tests/ops/case.h"

namespace arenite::ops_test {

#define ARENITE_KERNEL_OP(number, name, Type, shader) std::vector<OpCase> name##_cases();
#include "schema/ops.def"

// All of them, in the order of schema/ops.def.
std::vector<OpCase> all_cases();

// "conv", "max_pool", ...
const char* op_name(Op op);

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

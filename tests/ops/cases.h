// The cases of every operator: <name>_cases of its own file or of its family's.
#pragma once

#include <string_view>
#include <vector>

#include "tests/ops/case.h"

namespace arenite::ops_test {

#define ARENITE_KERNEL_OP(number, name, Type, shader) std::vector<OpCase> name##_cases();
#include "schema/ops.def"

// All of them, in the order of schema/ops.def.
const std::vector<OpCase>& all_cases();

// The operator's case of that name; std::logic_error where it has none.
OpCase case_named(Op op, std::string_view name);

// "conv", "max_pool", ...
const char* op_name(Op op);

// "unary", "own", ...: of schema/ops.def.
std::string_view family_of(Op op);

// Variants of a case with weights as input 1 and a bias as input 2: without the bias, with weights
// in panels, or with weights of a 16-bit float.
OpCase without_bias(OpCase c);
OpCase in_panels(OpCase c);
OpCase with_weights(DType type, OpCase c);

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

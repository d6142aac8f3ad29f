// What Add, Mul and Div have in common.
#pragma once

#include "planner/import/op_context.h"

namespace arenite::planner {

// Adds `op` over inputs 0 and 1: numpy's broadcasting, or before opset 7 the attributes axis and
// broadcast.
void import_binary(OpContext& context, Op op);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

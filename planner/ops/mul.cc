// Imports Mul.
#include "planner/ops/binary.h"
#include "planner/ops/ops.h"

namespace arenite::planner {

void import_mul(OpContext& context) { import_binary(context, Op::kMul); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

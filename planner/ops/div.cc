// Imports Div.
#include "planner/ops/binary.h"
#include "planner/ops/ops.h"

namespace arenite::planner {

void import_div(OpContext& context) { import_binary(context, Op::kDiv); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

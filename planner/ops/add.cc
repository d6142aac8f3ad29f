// Imports Add.
#include "planner/ops/binary.h"
#include "planner/ops/ops.h"

namespace arenite::planner {

void import_add(OpContext& context) { import_binary(context, Op::kAdd); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// What operators make and take whose dims the data of each run decides (planner/graph/counts.h).
#pragma once

#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {

// The places of what is true in a row of bool: int64 of one dim, a number where the row is known,
// else a count. Rows without results are places too.
ValueId places_of_true(OpContext& context, ValueId flags);

// The same with `number` in the rows that hold no results, for the node that reads it next; x
// itself where all rows hold some. Of bool: false.
ValueId filled(OpContext& context, ValueId x, double number);

// Indices into an axis that in rows without results point to something; the same where they do
// already.
ValueId filled_indices(OpContext& context, ValueId indices);

// A dim as one element of int64, a constant unless it is a count.
ValueId dim_value(OpContext& context, const Dim& dim);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

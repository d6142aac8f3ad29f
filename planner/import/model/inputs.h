// Decides the shape of each graph input from the model and the user's options.
#pragma once

#include "planner/import/model/front_end.h"
#include "planner/import/model/model.h"
#include "planner/import/model/op_context.h"

namespace arenite::planner {

// Adds the model's inputs (those bound as constants) and initializers to the graph. An input
// without a usable type, or without a shape yet, becomes unknown and is noted in `state`. Throws
// InputError if an input contradicts itself or the options.
void add_inputs(ImportState& state, const Model& model, const ImportOptions& options);

// Adds the tensors stored in the model, or in a node's branch, as constants. Throws InputError.
void add_initializers(ImportState& state, const Model& model);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Computes whatever follows from constants alone, constant integers' numbers included.
#include "planner/graph/simplify.h"
#include "planner/passes/passes.h"

namespace arenite::planner {

void fold_constants(Graph& graph) { compute_constants(graph, false); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Rewrites that passes are made of, and passes of their own.
#pragma once

#include "planner/graph/graph.h"

namespace arenite::planner {

// Nodes that change nothing: copies, reshapes to the same dims, casts to the same type.
void remove_identities(Graph& graph);

// Computes what is constant; with `keep_dequantize`, not what integers stand for, nor what follows
// from it.
void compute_constants(Graph& graph, bool keep_dequantize);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

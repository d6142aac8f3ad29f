// Leaves each node named after what it computes.
#pragma once

#include "planner/graph/graph.h"

namespace arenite::planner {

// A node of the model may become several of the graph, of which some vanish into their neighbors:
// such a neighbor loses the name again where another node goes by it first.
void keep_own_sources(Graph& graph);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

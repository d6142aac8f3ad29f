// Takes residuals out of products again, for CPUs whose forms do not add them.
#pragma once

#include <optional>

#include "planner/graph/graph.h"

namespace arenite::planner {

// The same graph with a sum behind each convolution and matrix product that adds a residual;
// nothing where none does.
std::optional<Graph> without_residuals(const Graph& graph);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

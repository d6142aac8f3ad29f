// Joins squeeze and excitation into one step, for devices on which fewer dispatches are faster.
#pragma once

#include <optional>

#include "planner/graph/graph.h"

namespace arenite::planner {

// The same graph with one node for each product of a tensor and of gates, where two pointwise
// convolutions make these gates of the tensor's means for it alone; nothing where there are none.
// The dims are numbers.
std::optional<Graph> with_joined_gates(const Graph& graph);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Joins quantized convolutions and the tables of what their results become, for devices on which
// one dispatch for both is faster.
#pragma once

#include <optional>

#include "planner/graph/graph.h"

namespace arenite::planner {

// The same graph with one node for each lookup of bytes and the convolution of images that computes
// its operand for it alone; nothing where there are none. The dims are numbers.
std::optional<Graph> with_joined_lookups(const Graph& graph);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

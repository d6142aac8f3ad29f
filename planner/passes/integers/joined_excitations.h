// Joins the gates of quantized squeeze and excitation and the product by them into one step, for
// devices on which fewer dispatches are faster.
#pragma once

#include <optional>

#include "planner/graph/graph.h"

namespace arenite::planner {

// The same graph with one node for each product of a tensor of bytes and of gates, where two
// pointwise convolutions, perhaps with tables of their results, make these gates of one number a
// channel for it alone; nothing where there are none. The dims are numbers.
std::optional<Graph> with_joined_excitations(const Graph& graph);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

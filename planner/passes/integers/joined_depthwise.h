// Joins pointwise and depthwise convolutions, for devices on which one dispatch for both is faster.
#pragma once

#include <optional>

#include "planner/graph/graph.h"

namespace arenite::planner {

// The same graph with one node for each depthwise convolution and the pointwise one that computes
// its input for it alone, where a GPU is expected to gain by that
// (kernels/dispatch/depthwise_tile.h); nothing where there are none. With `few_bytes` also where it
// takes a little longer, since the tensor between the two is never stored. The dims are numbers.
std::optional<Graph> with_joined_depthwise(const Graph& graph, bool few_bytes);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

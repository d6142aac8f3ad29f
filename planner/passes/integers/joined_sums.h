// Joins quantized convolutions and the sums of their results and a residual, for devices on which
// one dispatch for both is faster.
#pragma once

#include <optional>

#include "planner/graph/graph.h"

namespace arenite::planner {

// The same graph with one node for each quantized sum and the convolution of images that computes
// one of its operands for it alone; nothing where there are none. The dims are numbers.
std::optional<Graph> with_joined_sums(const Graph& graph);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

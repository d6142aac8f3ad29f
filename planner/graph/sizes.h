// Where a dim is a count, what a model computes of Shape is no constant: these functions follow
// such integers as the dims that they stand for, so that models reshape and expand by them.
#pragma once

#include <functional>
#include <optional>

#include "planner/graph/graph.h"

namespace arenite::planner {

// The elements of a constant of int32 or int64, of rank 0 or 1, where they are few.
std::optional<Dims> stored_sizes(const Value& value);

// The dims that the elements of the node's first output stand for, if they are computed as dims
// are; `known` tells it of an input.
std::optional<Dims> sizes_made(const Graph& graph, const Node& node,
                               const std::function<std::optional<Dims>(ValueId)>& known);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

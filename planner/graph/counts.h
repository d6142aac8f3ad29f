// Rows without results: a dim that is a count is planned at its bound, steps compute all rows of
// it, and nobody reads those behind the count. So a node must make of the rows with results what it
// would make of them alone.
#pragma once

#include <set>
#include <string>

#include "planner/graph/graph.h"

namespace arenite::planner {

// Why the node would not, part of a sentence for a message; "" where it does. Values in `filled`
// hold in their rows without results what does no harm to the node.
std::string why_rows_mix(const Graph& graph, const Node& node, const std::set<ValueId>& filled);

// Whether all elements of the value, of integers, are the places of something along an axis, 0 or
// more, also in rows without results.
bool are_places(const Graph& graph, ValueId id, const std::set<ValueId>& filled);

// Whether nodes of the operator tell rows that hold results from others, put numbers there, and
// count them, for whatever operator reads them.
bool fills_rows(Op op);

// The node that makes `elements` of a count and how many elements each counts.
Node multiply_count(ValueId count, ValueId times, ValueId elements);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

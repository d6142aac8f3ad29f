// A dim that is a count is planned at its bound: steps compute all rows of it, and nobody reads
// those behind the count, which hold no results. So a node must make of the rows with results what
// it would make of them alone.
#pragma once

#include <string>
#include <unordered_set>

#include "planner/graph/graph.h"

namespace arenite::planner {

// RowFacts says what rows without results hold.
struct RowFacts {
  // Values that hold there what does no harm to the node that reads them.
  std::unordered_set<ValueId> filled;
  // Values of integers that are all places of something along an axis, 0 or more, there too.
  std::unordered_set<ValueId> places;

  bool are_places(ValueId id) const { return filled.contains(id) || places.contains(id); }
};

// Why the node would not, part of a sentence for a message; "" where it does.
std::string why_rows_mix(const Graph& graph, const Node& node, const RowFacts& facts);

// Adds the node's outputs to the places where they are some.
void note_places(const Node& node, RowFacts& facts);

// Whether nodes of the operator tell rows that hold results from others, put numbers there, and
// count them, for whatever operator reads them.
bool fills_rows(Op op);

// The node that makes `elements` of a count and how many elements each counts.
Node multiply_count(ValueId count, ValueId times, ValueId elements);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

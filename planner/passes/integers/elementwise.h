// Results of elementwise nodes for a list of elements, whatever dims the graph gives their
// operands.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "planner/graph/graph.h"

namespace arenite::planner::quantize {

// The integers of 8 bits, from the least of their type on: the places of a table of lookup.
inline constexpr uint32_t kEntries = 256;

// The elements of values by their ids: one, which is for all, or as many as there are results.
using ElementsById = std::map<ValueId, std::vector<std::byte>>;

// The bytes of `result` once `nodes`, in the order of the graph, have computed `count` elements
// each. What they read is given, is a constant, or is another's result.
std::vector<std::byte> elementwise_results(const Graph& graph, const ElementsById& given,
                                           const std::set<uint32_t>& nodes, ValueId result,
                                           uint32_t count);

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0

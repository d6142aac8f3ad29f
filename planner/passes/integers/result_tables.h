// Lookups whose tables become operands of the nodes that make what they read.
#pragma once

#include <array>

#include "planner/graph/rewrite.h"

namespace arenite::planner {

// Whether a node has a constant table of bytes of the type that it is read by.
bool is_lookup_of_bytes(const Graph& graph, const Node& node);

// A constant [2, 256] of two such lookups' tables, of a type of bytes; kNoNode leaves its numbers
// as they are.
ValueId add_result_tables(Graph& graph, const std::string& name, DType type,
                          const std::array<uint32_t, 2>& lookups);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

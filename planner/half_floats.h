// 16-bit floats in a graph: what of a node has to change so that it computes on float32 instead.
#pragma once

#include <vector>

#include "planner/graph.h"

namespace arenite::planner {

// T of the node where that is a 16-bit float and its operator takes float32 too; else kNone.
DType half_type(const Graph& graph, const Node& node);

// Whether the operator takes its 16-bit T as it is.
bool takes_halves(const Graph& graph, const Node& node);

// The node's operands that have type T; the others are kNoValue, as are those left out.
struct TypedOperands {
  std::vector<ValueId> inputs, outputs;
};
TypedOperands operands_of_t(const Node& node);

// Turns elements that a node's attributes hold in type `half` into float32.
void widen_attributes(Node& node, DType half);

// from -> to, of the same dims and another type.
Node cast_node(ValueId from, ValueId to, const Node& on_behalf_of);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// 16-bit floats in a graph: what of a node has to change so that it computes on float32 instead.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "planner/graph/graph.h"

namespace arenite::planner {

// Whether a device may keep some value in 16 bits (Value::half_will_do).
bool has_halves(const Graph& graph);

// The bits of the float16 nearest to a number; nothing where a finite one would not be finite.
std::optional<uint16_t> half_of(float number);

// T of the node where that is a 16-bit float and its operator takes float32 too; else kNone.
DType half_type(const Graph& graph, const Node& node);

// Whether the operator takes its 16-bit T as it is.
bool takes_halves(const Graph& graph, const Node& node);

// The node's inputs that have type T; the others are kNoValue, as are those left out.
std::vector<ValueId> inputs_of_t(const Node& node);

// Makes a node of half_type() compute in float32: `widened` gives the float32 value of an input
// that has type T, `made` the one to write in a result's place. The casts that make the results
// again.
std::vector<Node> compute_in_float32(const Graph& graph, Node& node,
                                     const std::function<ValueId(ValueId)>& widened,
                                     const std::function<ValueId(ValueId)>& made);

// from -> to, of the same dims and another type.
Node cast_node(ValueId from, ValueId to, const Node& on_behalf_of);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

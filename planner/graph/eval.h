// Computes a node whose inputs are all constant, with the reference forms.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "planner/graph/graph.h"

namespace arenite::planner {

// Fills the constants of the node's outputs in `graph`. Throws InputError where the operator does
// not take the operands.
void evaluate(Graph& graph, const Node& node);

// The node's outputs (row-major, empty where left out) for row-major inputs (empty where left out).
// Throws InputError where the operator does not take the operands.
std::vector<std::vector<std::byte>> compute(const Graph& graph, const Node& node,
                                            std::span<const std::span<const std::byte>> inputs);

// Throws UnsupportedError where the node does not keep its operator's contract: types, shapes or
// attributes.
void check_node(const Graph& graph, const Node& node);

// Whether the node's output has its input's bytes in row-major order, so that nothing is computed.
bool keeps_bytes(const Graph& graph, const Node& node);

// About how many scalar operations evaluate() does.
uint64_t evaluation_work(const Graph& graph, const Node& node);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

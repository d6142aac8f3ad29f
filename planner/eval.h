// Computes a node whose inputs are all constant, with the kernels that would run it on the device.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "planner/graph.h"

namespace arenite::planner {

// Fills the constants of the node's outputs in `graph`. Throws InputError where the kernel refuses
// the operands.
void evaluate(Graph& graph, const Node& node);

// The node's outputs (row-major, empty where left out) for row-major inputs (empty where left out).
// Throws InputError where the kernel refuses the operands.
std::vector<std::vector<std::byte>> compute(const Graph& graph, const Node& node,
                                            std::span<const std::span<const std::byte>> inputs);

// Throws UnsupportedError where no kernel takes the node's operands: types, shapes or attributes.
void check_node(const Graph& graph, const Node& node);

// About how many scalar operations evaluate() does.
uint64_t evaluation_work(const Graph& graph, const Node& node);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

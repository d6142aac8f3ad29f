// Runs a graph node by node on the host, without a plan: the reference for tests and passes.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "planner/graph/graph.h"

namespace arenite::planner {

// Is shown each value as it is made: the inputs, then the outputs of each node.
using ValueObserver = std::function<void(ValueId id, std::span<const std::byte> bytes)>;

// The graph's outputs for its inputs, all row-major, in the order of graph.inputs and
// graph.outputs. Throws InputError where an input has not the bytes its dims ask for.
std::vector<std::vector<std::byte>> interpret(const Graph& graph,
                                              std::span<const std::vector<std::byte>> inputs,
                                              const ValueObserver& observe = {});

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

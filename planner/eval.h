// Computes a node whose inputs are all constant, with the kernels that would run it on the device.
#pragma once

#include <memory>
#include <vector>

#include "planner/graph.h"

namespace arenite::planner {

// Fills the constants of the node's outputs in `graph`. Throws InputError where the kernel refuses
// the operands.
void evaluate(Graph& graph, const Node& node);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Makes random graphs of all operators, valid by construction.
#pragma once

#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {

// The same graph for the same seed: inputs of 1 to 4 dims, views of views, values read by several
// nodes, outputs that are kernels' results, views, inputs, constants or listed twice.
// With another type than float32: operators that move elements alone.
Graph random_graph(uint32_t seed, DType type = DType::kFloat32);

// With float32. Any operand may be a constant, also where models compute it, as passes leave them;
// dims go up to 1,024; products of queries, keys and values are among the nodes.
Graph random_graph_with_constants(uint32_t seed);

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

// Makes random graphs of all operators, valid by construction.
#pragma once

#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {

// The same graph for the same seed: inputs of 1 to 4 dims, views of views, values read by several
// nodes, outputs that are kernels' results, views, inputs, constants or listed twice.
// Of another type than float32: of operators that move elements alone.
Graph random_graph(uint32_t seed, DType type = DType::kFloat32);

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

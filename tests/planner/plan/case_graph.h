// Makes random graphs of all operators from the cases of their kernels.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/ops/case.h"
#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {

struct CaseGraph {
  Graph graph;
  std::vector<std::vector<std::byte>> inputs;  // row-major bytes of the graph's inputs
};

// The same graph for the same seed: up to five cases of operators drawn at random. An operand is an
// input, a constant, or what an earlier node computes; results are moved, joined and clipped
// between.
CaseGraph random_case_graph(uint32_t seed);

// The case alone, with inputs for all operands and its outputs as the graph's.
CaseGraph case_graph(const ops_test::OpCase& c);

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

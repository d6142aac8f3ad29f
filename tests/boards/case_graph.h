// Cases of operators as methods of programs for boards.
#pragma once

#include <vector>

#include "planner/board/board.h"
#include "planner/plan.h"
#include "tests/ops/case.h"
#include "tools/io/tensor.h"

namespace arenite::boards_test {

// Whether the weights of a case are an input or a constant of the program.
enum class Weights { kAsInputs, kAsConstants };

// A case as a graph of one node, all operands inputs but for constants; and these inputs.
planner::NamedGraph graph_of(const ops_test::OpCase& c, Weights weights);
std::vector<tools::HostTensor> inputs_of(const ops_test::OpCase& c, Weights weights);

// The same with the first `inputs` operands as inputs and all others as constants. Pictures with
// channels last are inputs and outputs of that order, so that no step moves them.
planner::NamedGraph graph_of_step(const ops_test::OpCase& given, uint32_t inputs);

// How a program of many cases is planned for the harness of a board. Of the board's features its
// CPU forms may need those of `features`.
planner::PlanOptions case_options(const planner::Board& board,
                                  CpuFeatures features = ~CpuFeatures{0});

// Whether a case is soon run on an emulated board.
bool is_small(const ops_test::OpCase& c);
bool has_packed_input(const ops_test::OpCase& c);
// The groups of types that references are made for, of which the case has some.
TypeSet forms_of(const ops_test::OpCase& c);

}  // namespace arenite::boards_test
// SPDX-License-Identifier: Apache-2.0

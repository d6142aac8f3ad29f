// Constants copied into the fastest memory: the same bits, nothing else moves, nothing overlaps.
#include "planner/place/near_constants.h"

#include <gtest/gtest.h>

#include "planner/graph/interpret.h"
#include "planner/plan.h"
#include "tests/planner/plan/plain_board.h"
#include "tests/planner/plan/random_graph.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

planner::PlanOptions near_options() {
  planner::PlanOptions options;
  options.boards = {plain_board("mps3-an547")};
  options.near_constants = true;
  return options;
}

planner::PlanResult plan(const Graph& graph, const planner::PlanOptions& options) {
  return planner::plan_graphs({{"main", graph, {}}}, options);
}

// [1, 3, 16, 16] to 8 channels by 3 x 3, then a matrix of 8 x 5 for each of 4 rows.
Graph two_weights() {
  GraphBuilder b;
  b.output(b.conv(b.input({1, 3, 16, 16}), 8, 3, 1));
  b.output(b.node(Op::kMatMul, {b.input({4, 8}), b.constant({8, 5})}, {4, 5}, MatMulAttributes{}));
  return b.graph();
}

TEST(NearConstants, EachIsCopiedRightBeforeItsReader) {
  const Graph graph = two_weights();
  const planner::PlanResult result = plan(graph, near_options());
  const planner::NearConstants& near = result.report.variants[0].near_constants;
  EXPECT_EQ(near.memory, "dtcm");
  EXPECT_GE(near.copies, 2u);
  EXPECT_GE(near.copied_bytes, 4u * (8 * 27 + 40));
  EXPECT_GE(near.near_bytes, 4u * (8 * 27 * 256 + 40 * 4));
  const OpenProgram program(result.program);
  const auto inputs = test_inputs(graph, 5);
  EXPECT_EQ(run(*program, {}, inputs), planner::interpret(graph, inputs));
}

TEST(NearConstants, RandomGraphsKeepTheirBits) {
  uint32_t copies = 0;
  for (uint32_t seed = 2001; seed <= 2150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = random_graph(seed);
    const planner::PlanResult result = plan(graph, near_options());
    copies += result.report.variants[0].near_constants.copies;
    const OpenProgram program(result.program);
    const auto inputs = test_inputs(graph, seed);
    ASSERT_EQ(run(*program, {}, inputs), planner::interpret(graph, inputs));
  }
  EXPECT_GT(copies, 50u);
}

TEST(NearConstants, TakeOnlyWhatIsLeftFree) {
  const Graph graph = two_weights();
  planner::PlanOptions options = near_options();
  options.near_constants = false;
  const memory::MemoryReport without = plan(graph, options).report.variants[0].memories;
  options.near_constants = true;
  // No byte more than the plan needs anyway.
  options.boards[0].memories[0].memory.size_bytes = without.memories[0].peak_bytes;
  const planner::PlanResult result = plan(graph, options);
  const auto& with = result.report.variants[0].memories;
  EXPECT_EQ(with.peak_sum_bytes, without.peak_sum_bytes);
  // An unbounded memory is no fast one beside others.
  options.boards[0].memories[0].memory.size_bytes = memory::kUnbounded;
  EXPECT_EQ(plan(graph, options).report.variants[0].near_constants.copies, 0u);
}

TEST(NearConstants, ReadsAreCountedByOperator) {
  planner::ScheduledStep step;
  step.op = Op::kConv;
  step.outputs = {planner::Operand{false, 0, DType::kFloat32, planner::row_major({2, 8, 5, 7}), 0}};
  step.inputs = {std::nullopt,
                 planner::Operand{true, 0, DType::kFloat32, planner::row_major({8, 3, 3, 3}), 0}};
  EXPECT_EQ(planner::reads_of_constant(step, 1), 2u * 5 * 7);
  step.op = Op::kMatMul;
  step.inputs[0] = planner::Operand{false, 1, DType::kFloat32, planner::row_major({3, 4, 5})};
  step.outputs[0]->form = planner::row_major({3, 4, 6});
  step.inputs[1]->form = planner::row_major({3, 5, 6});
  EXPECT_EQ(planner::reads_of_constant(step, 1), 4u);
  step.inputs[1]->form.strides[0] = 0;
  EXPECT_EQ(planner::reads_of_constant(step, 1), 12u);
  step.op = Op::kMul;
  step.inputs[1]->form = planner::row_major({3, 4, 6});
  EXPECT_EQ(planner::reads_of_constant(step, 1), 1u);
  step.inputs[1]->form.strides = {0, 0, 1};
  EXPECT_EQ(planner::reads_of_constant(step, 1), 12u);
  step.op = Op::kGather;
  EXPECT_EQ(planner::reads_of_constant(step, 1), 1u);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

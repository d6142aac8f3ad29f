// Random graphs, planned in every way, give what the interpreter gives.
#include <gtest/gtest.h>

#include "planner/interpret.h"
#include "planner/plan.h"
#include "tests/planner/plan/random_graph.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

constexpr uint32_t kGraphs = 400;

planner::PlanOptions options_for(const char* board, memory::Algorithm algorithm) {
  planner::PlanOptions options;
  options.boards = {planner::find_board(board)};
  options.memory_planner = algorithm;
  return options;
}

void expect_planned_equals_interpreted(const planner::PlanOptions& options) {
  for (uint32_t seed = 1; seed <= kGraphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = random_graph(seed);
    const auto inputs = test_inputs(graph, seed);
    const auto expected = planner::interpret(graph, inputs);
    const planner::PlanResult planned = planner::plan_graphs({{"main", graph, {}}}, options);
    const OpenProgram program(planned.program);
    RunRequest request;
    request.variant = program->methods()[0].variant_count - 1;
    for (const std::byte poison : {std::byte{0}, std::byte{0xff}}) {
      request.poison = poison;
      const auto outputs = run(*program, request, inputs);
      ASSERT_EQ(outputs.size(), expected.size());
      for (size_t i = 0; i < outputs.size(); ++i) {
        ASSERT_TRUE(outputs[i] == expected[i]) << "output " << i;
      }
    }
  }
}

TEST(RandomGraphs, HostPanels) {
  expect_planned_equals_interpreted(options_for("host", memory::Algorithm::kGreedyBySize));
}

TEST(RandomGraphs, HostNaive) {
  expect_planned_equals_interpreted(options_for("host", memory::Algorithm::kNaive));
}

TEST(RandomGraphs, HierarchyOfMemoriesAndRows) {
  planner::PlanOptions options = options_for("mps3-an547", memory::Algorithm::kGreedyBySize);
  // So small that most graphs spill.
  options.boards[0].memories[0].memory.size_bytes = 2048;
  options.boards[0].memories[1].memory.size_bytes = 16384;
  expect_planned_equals_interpreted(options);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

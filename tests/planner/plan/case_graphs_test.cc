// Random graphs of all operators, with passes on and off and constants anywhere, give what the
// interpreter gives.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <iostream>
#include <random>
#include <set>

#include "planner/graph/interpret.h"
#include "planner/passes/passes.h"
#include "planner/passes/switches.h"
#include "planner/plan.h"
#include "tests/environment_count.h"
#include "tests/ops/cases.h"
#include "tests/planner/plan/case_graph.h"
#include "tests/planner/plan/plain_board.h"
#include "tests/planner/plan/run_program.h"
#include "tests/planner/plan/vulkan_run.h"

namespace arenite::test {
namespace {

ops_test::Numbers numbers_of(const planner::Value& value, const std::vector<std::byte>& bytes) {
  ops_test::Numbers numbers = {value.dtype, bounds(value.dims), {}};
  const size_t each = element_bytes(value.dtype);
  for (size_t at = 0; at < bytes.size(); at += each) {
    numbers.values.push_back(ops_test::decode(value.dtype, bytes.data() + at));
  }
  return numbers;
}

TEST(CaseGraphs, AgreeWithTheInterpreter) {
  const uint32_t graphs = environment_count("ARENITE_TEST_GRAPHS", 400);
  const uint32_t first = environment_count("ARENITE_TEST_FIRST_GRAPH", 1);
  std::mt19937 random(first);
  const auto some_of = [&random](const auto& passes) {
    std::vector<std::string> names;
    for (const auto& pass : passes) {
      if (random() % 4 == 0) names.emplace_back(pass.name);
    }
    return names;
  };
  std::set<Op> drawn;
  uint32_t rewritten = 0;
  for (uint32_t seed = first; seed < first + graphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const CaseGraph made = random_case_graph(seed);
    std::string nodes;
    for (const Node& node : made.graph.nodes) {
      nodes += node.sources[0] + " ";
      drawn.insert(node.op);
    }
    SCOPED_TRACE(nodes);
    try {
      Graph optimized = made.graph;
      if (seed % 4 != 0) planner::optimize(optimized, some_of(planner::all_passes()));
      rewritten += optimized.nodes.size() != made.graph.nodes.size() ? 1u : 0u;
      planner::PlanOptions options;
      options.boards = {plain_board(seed % 2 == 0 ? "host" : "mps3-an547")};
      options.memory_planner = memory::Algorithm::kGreedyBySize;
      options.disabled_passes = some_of(planner::peak_passes());
      const auto expected = planner::interpret(optimized, made.inputs);
      const auto plain = planner::interpret(made.graph, made.inputs);
      const planner::PlanResult planned = planner::plan_graphs({{"main", optimized, {}}}, options);
      const OpenProgram program(planned.program);
      const RunRequest request = {.variant = program->methods()[0].variant_count - 1};
      const auto outputs = run(*program, request, made.inputs);
      ASSERT_EQ(outputs.size(), expected.size());
      for (size_t i = 0; i < outputs.size(); ++i) {
        const planner::Value& value = optimized.values[optimized.outputs[i]];
        EXPECT_EQ(
            ops_test::bit_difference(numbers_of(value, outputs[i]), numbers_of(value, expected[i])),
            "")
            << "output " << i;
        EXPECT_EQ(
            ops_test::difference(numbers_of(value, expected[i]), numbers_of(value, plain[i]), 1e-3),
            "")
            << "output " << i << " as passes leave it";
      }
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what();
    }
  }
  for (const ops_test::OpCase& c : ops_test::all_cases()) {
    EXPECT_TRUE(graphs < 400 || drawn.count(c.op) != 0) << ops_test::op_name(c.op);
  }
  EXPECT_GE(rewritten, graphs / 4);
}

// Sums there are added in another order: near, not equal.
TEST(CaseGraphs, OnVulkan) {
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  const uint32_t graphs = environment_count("ARENITE_TEST_VULKAN_GRAPHS", 40);
  const uint32_t first = environment_count("ARENITE_TEST_FIRST_GRAPH", 1);
  uint32_t on_vulkan = 0;
  for (uint32_t seed = first; seed < first + graphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    CaseGraph made = random_case_graph(seed);
    std::string nodes;
    for (const Node& node : made.graph.nodes) nodes += node.sources[0] + " ";
    SCOPED_TRACE(nodes);
    try {
      planner::optimize(made.graph, {});
      const auto expected = planner::interpret(made.graph, made.inputs);
      planner::PlanOptions options;
      options.boards = {planner::find_board("host")};
      options.memory_planner = memory::Algorithm::kGreedyBySize;
      const planner::PlanResult planned = planner::plan_graphs({{"main", made.graph, {}}}, options);
      if (!planned.report.variants[0].vulkan) continue;
      ++on_vulkan;
      const OpenProgram program(planned.program);
      const auto outputs = vulkan.run(*program, 0, 0, made.inputs);
      ASSERT_EQ(outputs.size(), expected.size());
      for (size_t i = 0; i < outputs.size(); ++i) {
        const planner::Value& value = made.graph.values[made.graph.outputs[i]];
        EXPECT_EQ(ops_test::difference(numbers_of(value, outputs[i]),
                                       numbers_of(value, expected[i]), 2e-3),
                  "")
            << "output " << i;
      }
      EXPECT_EQ(vulkan.validation_messages(), 0u);
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what();
    }
  }
  EXPECT_GE(on_vulkan, graphs / 2);
}

// A tensor without elements may have scales along an axis of 0.
TEST(CaseGraphs, ScalesOfNoElements) {
  GraphBuilder builder;
  const ValueId x = builder.input({0, 4});
  const ValueId scale = builder.constant_bytes({0, 1}, DType::kFloat32, {});
  const ValueId zero = builder.constant_bytes({0, 1}, DType::kInt8, {});
  const ValueId q = builder.node(Op::kQuantize, {x, scale, zero}, {0, 4}, QuantizeAttributes{});
  builder.graph().values[q].dtype = DType::kInt8;
  const ValueId y = builder.node(Op::kDequantize, {q, scale, zero}, {0, 4});
  builder.graph().values[y].dtype = DType::kFloat32;
  builder.output(y);
  Graph graph = builder.graph();
  planner::optimize(graph, {});
  const std::vector<std::vector<std::byte>> inputs(1);
  EXPECT_EQ(planner::interpret(graph, inputs).at(0).size(), 0u);
}

// A step writes all of its outputs: those that nobody reads stay.
TEST(CaseGraphs, FirstOutputsAlone) {
  for (const ops_test::OpCase& c : ops_test::all_cases()) {
    if (c.outputs.size() == 1) continue;
    SCOPED_TRACE(std::string(ops_test::op_name(c.op)) + " " + c.name);
    CaseGraph made = case_graph(c);
    made.graph.outputs.resize(1);
    const auto plain = planner::interpret(made.graph, made.inputs);
    planner::optimize(made.graph, {});
    EXPECT_EQ(planner::interpret(made.graph, made.inputs), plain);
  }
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

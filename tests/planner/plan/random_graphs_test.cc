// Random graphs, planned in every way, give what the interpreter gives.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "planner/graph/interpret.h"
#include "planner/passes/passes.h"
#include "planner/passes/switches.h"
#include "planner/plan.h"
#include "tests/environment_count.h"
#include "tests/planner/plan/plain_board.h"
#include "tests/planner/plan/random_graph.h"
#include "tests/planner/plan/run_program.h"
#include "tests/planner/plan/vulkan_run.h"

namespace arenite::test {
namespace {

constexpr uint32_t kGraphs = 400;

planner::PlanOptions options_for(const char* board, memory::Algorithm algorithm) {
  planner::PlanOptions options;
  options.boards = {plain_board(board)};
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

// Quotients of small random numbers get large: what counts is the error for the size.
void expect_near(const std::vector<std::byte>& got, const std::vector<std::byte>& expected,
                 double tolerance = 1e-4) {
  ASSERT_EQ(got.size(), expected.size());
  std::vector<float> a(got.size() / sizeof(float)), b(a.size());
  std::memcpy(a.data(), got.data(), a.size() * sizeof(float));
  std::memcpy(b.data(), expected.data(), b.size() * sizeof(float));
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(b[i]) || std::isinf(b[i])) continue;  // x/0: shaders may differ
    ASSERT_NEAR(double{a[i]}, double{b[i]}, tolerance + tolerance * std::fabs(double{b[i]})) << i;
  }
}

TEST(RandomGraphs, HostPanels) {
  planner::PlanOptions options = options_for("host", memory::Algorithm::kGreedyBySize);
  for (const auto optimize : {planner::Optimize::kMemory, planner::Optimize::kSpeed}) {
    options.optimize = optimize;
    expect_planned_equals_interpreted(options);
  }
}

TEST(RandomGraphs, HostNaive) {
  expect_planned_equals_interpreted(options_for("host", memory::Algorithm::kNaive));
}

TEST(RandomGraphs, HierarchyOfMemoriesAndRows) {
  planner::PlanOptions options = options_for("mps3-an547", memory::Algorithm::kGreedyBySize);
  // The memory is so small that most graphs spill.
  options.boards[0].memories[0].memory.size_bytes = 2048;
  options.boards[0].memories[1].memory.size_bytes = 16384;
  expect_planned_equals_interpreted(options);
}

// By the float forms of microcontrollers, which round products less often than references do.
TEST(RandomGraphs, OnFloatFormsOfMicrocontrollers) {
  for (uint32_t seed = 1; seed <= kGraphs; ++seed) {
    const Graph graph = random_graph(seed);
    const auto inputs = test_inputs(graph, seed);
    const auto expected = planner::interpret(graph, inputs);
    for (const char* board : {"mps2-an386", "mps3-an547"}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " on " + board);
      planner::PlanOptions options;
      options.boards = {unmeasured_board(board)};
      const OpenProgram program(planner::plan_graphs({{"main", graph, {}}}, options).program);
      const auto outputs = run(*program, {}, inputs);
      ASSERT_EQ(outputs.size(), expected.size());
      for (size_t i = 0; i < outputs.size(); ++i) expect_near(outputs[i], expected[i]);
    }
    if (testing::Test::HasFailure()) return;
  }
}

// Any valid model can be planned after the passes: a program that its own loader refuses is a
// std::logic_error.
TEST(RandomGraphs, ConstantsAnywhereAndPassesOnAndOff) {
  const uint32_t graphs = environment_count("ARENITE_TEST_GRAPHS", 400);
  std::mt19937 random(19);
  const auto some_of = [&random](const auto& passes) {
    std::vector<std::string> names;
    for (const auto& pass : passes) {
      if (random() % 4 == 0) names.emplace_back(pass.name);
    }
    return names;
  };
  for (uint32_t seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = random_graph_with_constants(seed);
    const auto inputs = test_inputs(graph, seed);
    Graph optimized = graph;
    if (seed % 4 != 0) planner::optimize(optimized, some_of(planner::all_passes()));
    planner::PlanOptions options =
        options_for(seed % 2 == 0 ? "host" : "mps3-an547", memory::Algorithm::kGreedyBySize);
    // Passes change what is rounded; a plan changes no bit.
    const auto expected = planner::interpret(optimized, inputs);
    const auto plain = planner::interpret(graph, inputs);
    options.disabled_passes = some_of(planner::peak_passes());
    const planner::PlanResult planned = planner::plan_graphs({{"main", optimized, {}}}, options);
    const OpenProgram program(planned.program);
    const RunRequest request = {.variant = program->methods()[0].variant_count - 1};
    const auto outputs = run(*program, request, inputs);
    ASSERT_EQ(outputs.size(), expected.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      ASSERT_TRUE(outputs[i] == expected[i]) << "output " << i;
      expect_near(expected[i], plain[i], 1e-3);
    }
    if (testing::Test::HasFailure()) return;
  }
}

// Graphs of which some steps, chosen by their place, stay on the CPU: transfers both ways.
TEST(RandomGraphs, VulkanAndCpuMixed) {
  VulkanRun vulkan;
  ASSERT_TRUE(vulkan.ready());
  uint32_t variants = 0, mixed = 0;
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = random_graph(seed);
    const auto inputs = test_inputs(graph, seed);
    const auto expected = planner::interpret(graph, inputs);
    planner::PlanOptions options = options_for("host", memory::Algorithm::kGreedyBySize);
    uint32_t place = seed;
    options.shader_filter = [&](const Step&) { return seed % 3 == 0 || ++place % 3 != 0; };
    const planner::PlanResult planned = planner::plan_graphs({{"main", graph, {}}}, options);
    const planner::VariantReport& report = planned.report.variants[0];
    if (!report.vulkan) continue;
    ++variants;
    mixed += report.counts.cpu != 0 ? 1 : 0;
    const OpenProgram program(planned.program);
    const auto outputs = vulkan.run(*program, 0, 0, inputs);
    ASSERT_EQ(outputs.size(), expected.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      expect_near(outputs[i], expected[i]);
    }
    EXPECT_EQ(vulkan.counters().dispatches_recorded, report.dispatches);
    EXPECT_EQ(vulkan.validation_messages(), 0u);
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(variants, 40u);
  EXPECT_GT(mixed, 20u);
}

// Elements that share words: parts of a concatenation begin and end anywhere in one.
TEST(RandomGraphs, MovesOfEverySizeOnVulkan) {
  VulkanRun vulkan;
  if (!vulkan.ready() && std::getenv("ARENITE_TEST_DEVICE") != nullptr) {
    GTEST_SKIP() << "no second driver: run tools/setup --second-driver";
  }
  ASSERT_TRUE(vulkan.ready());
  uint32_t variants = 0;
  for (const DType type : {DType::kBool, DType::kInt16, DType::kInt64}) {
    for (uint32_t seed = 1; seed <= 30; ++seed) {
      SCOPED_TRACE("elements of " + std::to_string(element_bytes(type)) + " bytes, seed " +
                   std::to_string(seed));
      const Graph graph = random_graph(seed, type);
      const auto inputs = test_inputs(graph, seed);
      const auto expected = planner::interpret(graph, inputs);
      planner::PlanOptions options = options_for("host", memory::Algorithm::kGreedyBySize);
      uint32_t place = seed;
      options.shader_filter = [&](const Step&) { return seed % 3 != 0 || ++place % 4 != 0; };
      const planner::PlanResult planned = planner::plan_graphs({{"main", graph, {}}}, options);
      const planner::VariantReport& report = planned.report.variants[0];
      if (!report.vulkan) continue;
      ++variants;
      const OpenProgram program(planned.program);
      const auto outputs = vulkan.run(*program, 0, 0, inputs);
      EXPECT_EQ(outputs, expected);
      EXPECT_EQ(vulkan.counters().dispatches_recorded, report.dispatches);
      EXPECT_EQ(vulkan.validation_messages(), 0u);
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(variants, 60u);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

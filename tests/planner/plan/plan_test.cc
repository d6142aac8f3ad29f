// Whole plans: sharing, options, several models and boards, what does not fit, what is reported.
#include "planner/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/sections.h"
#include "planner/graph/interpret.h"
#include "planner/program/inspect.h"
#include "planner/program/strip.h"
#include "tests/planner/plan/plain_board.h"
#include "tests/planner/plan/random_graph.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

using planner::PlanOptions;
using planner::PlanResult;
using testing::HasSubstr;

PlanOptions options_for(std::initializer_list<const char*> boards) {
  PlanOptions options;
  for (const char* board : boards) options.boards.push_back(planner::find_board(board));
  return options;
}

PlanResult plan_one(const Graph& graph, const PlanOptions& options) {
  return planner::plan_graphs({{"main", graph, {}}}, options);
}

// Three convolutions in a row.
Graph small_network(uint32_t channels = 16) {
  GraphBuilder b;
  ValueId x = b.input({1, 3, 16, 16});
  for (int i = 0; i < 3; ++i) x = b.conv(x, channels, 3, 1);
  b.output(x);
  return b.graph();
}

uint32_t last_variant(const OpenProgram& program, uint32_t method) {
  return program->methods()[method].variant_count - 1;
}

TEST(Plan, TwoRunsGiveTheSameBytes) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const Graph graph = random_graph(seed);
    const PlanOptions options = options_for({"host", "mps3-an547"});
    ASSERT_EQ(plan_one(graph, options).program, plan_one(graph, options).program);
  }
}

TEST(Plan, HostGetsVulkanAndThenTheCpu) {
  const PlanResult result = plan_one(small_network(), options_for({"host"}));
  ASSERT_EQ(result.report.variants.size(), 2u);
  EXPECT_TRUE(result.report.variants[0].vulkan);
  EXPECT_FALSE(result.report.variants[1].vulkan);
  const OpenProgram program(result.program);
  Capabilities none;
  EXPECT_EQ(*program->choose_variant(0, none), 1u);
  EXPECT_EQ(*program->choose_variant(0, *planner::vulkan_of(planner::find_board("host"))), 0u);
}

TEST(Plan, NoVulkanVariantWhereNothingCanGoThere) {
  PlanOptions options = options_for({"host"});
  options.shader_filter = [](const Step&) { return false; };
  const PlanResult result = plan_one(small_network(), options);
  ASSERT_EQ(result.report.variants.size(), 1u);
  EXPECT_FALSE(result.report.variants[0].vulkan);
}

TEST(Plan, AsksForWhatTheFormsOfItsStepsNeedAndNoMore) {
  const auto id = static_cast<uint32_t>(Capability::kSubgroupSize);
  const auto plan_rows_of = [&](uint32_t elements, uint32_t subgroup_size) {
    GraphBuilder b;
    const std::vector<uint32_t> dims = {4, elements};
    b.output(b.node(Op::kSoftmax, {b.input(dims)}, dims, SoftmaxAttributes{2}));
    PlanOptions options = options_for({"host"});
    options.boards[0].variants[0].vulkan->numbers[id] = subgroup_size;
    return plan_one(b.graph(), options).program;
  };
  const auto step_of = [](const OpenProgram& program) {
    for (const format::StepRecord& step : program->steps()) {
      if (step.op == static_cast<uint16_t>(Op::kSoftmax)) return step;
    }
    return format::StepRecord{};
  };
  Capabilities device = *planner::vulkan_of(planner::find_board("host"));
  // A board without subgroups: a group does a row by shared memory.
  const OpenProgram plain(plan_rows_of(1000, 0));
  EXPECT_EQ(step_of(plain).form, 0u);
  EXPECT_EQ(step_of(plain).choice, 1u);
  EXPECT_EQ(*plain->choose_variant(0, device), 0u);
  // One with them: a device without them takes the CPU's variant.
  const OpenProgram with(plan_rows_of(1000, 32));
  EXPECT_EQ(step_of(with).form, 1u);
  EXPECT_EQ(*with->choose_variant(0, device), 1u);
  device.numbers[id] = 4;
  EXPECT_EQ(*with->choose_variant(0, device), 0u);
  // Short rows have no use for them, and ask for none.
  device.numbers[id] = 0;
  const OpenProgram short_rows(plan_rows_of(8, 32));
  EXPECT_EQ(step_of(short_rows).form, 0u);
  EXPECT_EQ(*short_rows->choose_variant(0, device), 0u);
}

TEST(Plan, GreedyReusesWhatNaiveDoesNot) {
  PlanOptions options = options_for({"mps3-an547"});
  options.boards = {plain_board("mps3-an547")};
  const auto greedy = plan_one(small_network(), options).report.variants[0].memories;
  options.memory_planner = memory::Algorithm::kNaive;
  const auto naive = plan_one(small_network(), options).report.variants[0].memories;
  // Input 3 KiB, results 16 KiB each: two at a time, against all of them.
  EXPECT_EQ(greedy.peak_sum_bytes, 2u * 16 * 1024);
  EXPECT_EQ(naive.peak_sum_bytes, 3u * 16 * 1024 + 3 * 1024);
  EXPECT_EQ(greedy.total_peak_bytes, naive.total_peak_bytes);
}

// Distances have closed forms, so that a tensor of 2^28 elements is planned like a small one.
TEST(Plan, LongTensorsShareWhatTheirDistanceAllows) {
  GraphBuilder b;
  b.output(b.transpose(b.input({2, 33554431, 4}), {2, 1, 0}));
  PlanOptions options = options_for({"host"});
  options.optimize = planner::Optimize::kMemory;
  const auto memories = plan_one(b.graph(), options).report.variants[0].memories;
  constexpr uint64_t kBytes = uint64_t{2} * 33554431 * 4 * sizeof(float);
  EXPECT_GT(memories.peak_sum_bytes, kBytes);
  EXPECT_LT(memories.peak_sum_bytes, 2 * kBytes);
}

TEST(Plan, FallbackCostsItsInputsAndSaysSo) {
  PlanOptions options = options_for({"host"});
  GraphBuilder b;
  const ValueId x = b.input({64, 64});
  const ValueId y = b.clip(x, 0, 1);
  const ValueId z = b.node(Op::kSoftmax, {y}, {64, 64}, SoftmaxAttributes{2});
  b.output(b.node(Op::kSigmoid, {z}, {64, 64}));
  // The softmax on the CPU: its result goes up and can lie where the input lay.
  options.shader_filter = [](const Step& step) { return step.op() != Op::kSoftmax; };
  const PlanResult reserved = plan_one(b.graph(), options);
  options.reserve_fallback = false;
  const PlanResult none = plan_one(b.graph(), options);
  EXPECT_TRUE(reserved.report.variants[0].reserves_fallback);
  EXPECT_EQ(reserved.report.variants[0].fallback_bytes, 64u * 64 * 4);
  EXPECT_FALSE(none.report.variants[0].reserves_fallback);
  EXPECT_EQ(none.report.variants[0].fallback_bytes, 0u);
  EXPECT_EQ(reserved.report.variants[0].memories.peak_sum_bytes,
            none.report.variants[0].memories.peak_sum_bytes + 64 * 64 * 4);
}

TEST(Plan, WhatDoesNotFitSaysWhereByHowMuchAndWhatIsThere) {
  PlanOptions options = options_for({"mps3-an547"});
  options.boards = {plain_board("mps3-an547")};
  planner::Board& board = options.boards[0];
  board.memories.resize(1);
  board.memories[0].memory.size_bytes = 30 * 1024;
  try {
    plan_one(small_network(), options);
    FAIL();
  } catch (const planner::DoesNotFitError& error) {
    ASSERT_EQ(error.report.shortages.size(), 1u);
    const planner::Shortage& shortage = error.report.shortages[0];
    EXPECT_EQ(shortage.board, "mps3-an547");
    EXPECT_EQ(shortage.memory, "dtcm");
    EXPECT_EQ(shortage.short_bytes, 2u * 1024);
    ASSERT_EQ(shortage.tensors.size(), 2u);
    EXPECT_EQ(shortage.tensors[0].bytes, 16u * 1024);
    EXPECT_EQ(shortage.tensors[0].shape, (std::vector<uint32_t>{1, 16, 16, 16}));
    EXPECT_TRUE(shortage.impossible);
    EXPECT_EQ(shortage.least_bytes, 32u * 1024);
    // The plan as it would be.
    ASSERT_EQ(error.report.variants.size(), 1u);
    EXPECT_EQ(error.report.variants[0].memories.memories[0].peak_bytes, 32u * 1024);
    EXPECT_EQ(error.report.variants[0].memories.memories[0].short_bytes(), 2u * 1024);
    for (const char* part : {"mps3-an547", "dtcm", "2048", "16384", "conv_2"}) {
      EXPECT_THAT(error.what(), HasSubstr(part));
    }
  }
}

TEST(Plan, InputsAndOutputsLeftToTheCallerTakeNoArenaBytes) {
  PlanOptions options = options_for({"mps3-an547"});
  options.boards = {plain_board("mps3-an547")};
  options.overlaps = {false, false};
  const Graph graph = small_network();
  const auto inputs = test_inputs(graph, 3);
  const uint64_t planned = plan_one(graph, options).report.variants[0].memories.peak_sum_bytes;
  options.caller_io = true;
  const PlanResult result = plan_one(graph, options);
  const planner::VariantReport& variant = result.report.variants[0];
  // Between input and output there are two results of 16 KiB; before, two at a time as well, the
  // input's 3 KiB and the output's 16 KiB among them.
  EXPECT_EQ(planned, 32u * 1024);
  EXPECT_EQ(variant.memories.peak_sum_bytes, 32u * 1024);
  ASSERT_EQ(variant.lent.size(), 2u);
  EXPECT_EQ(variant.lent[0].name, "input 0");
  EXPECT_EQ(variant.lent[0].bytes, 3u * 1024);
  EXPECT_EQ(variant.lent[1].name, "output 0");
  EXPECT_EQ(variant.lent[1].bytes, 16u * 1024);
  const OpenProgram program(result.program);
  EXPECT_EQ(run(*program, {}, inputs), planner::interpret(graph, inputs));
}

TEST(Plan, ProgramsOfOneStepNeedNoArenaWithCallerIo) {
  PlanOptions options = options_for({"mps3-an547"});
  options.caller_io = true;
  GraphBuilder b;
  b.output(b.clip(b.input({64, 64}), 0, 1));
  const PlanResult result = plan_one(b.graph(), options);
  EXPECT_TRUE(result.report.variants[0].arenas.empty());
  EXPECT_EQ(result.report.variants[0].memories.peak_sum_bytes, 0u);
  const OpenProgram program(result.program);
  const auto inputs = test_inputs(b.graph(), 1);
  EXPECT_EQ(run(*program, {}, inputs), planner::interpret(b.graph(), inputs));
}

TEST(Plan, CallerIoNeedsAnArenaEach) {
  PlanOptions options = options_for({"mps3-an547"});
  options.caller_io = true;
  GraphBuilder b;
  ValueId x = b.input({4});
  for (int i = 0; i < 16; ++i) b.output(b.clip(x, 0, static_cast<float>(i + 1)));
  try {
    plan_one(b.graph(), options);
    FAIL();
  } catch (const planner::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("16 outputs make 17 arenas; expected at most 16"));
  }
}

TEST(Plan, SpillsIntoTheNextMemoryAndIsRight) {
  PlanOptions options = options_for({"mps3-an547"});
  options.boards[0].memories[0].memory.size_bytes = 20 * 1024;
  const Graph graph = small_network();
  const PlanResult result = plan_one(graph, options);
  EXPECT_EQ(result.report.variants[0].arenas.size(), 2u);
  const OpenProgram program(result.program);
  const auto inputs = test_inputs(graph, 3);
  EXPECT_EQ(run(*program, {}, inputs), planner::interpret(graph, inputs));
}

// Steps of the CPU variant that run on one thread, and how it was planned.
struct Serial {
  uint32_t steps = 0;
  std::string optimize;
  uint64_t bytes = 0;
};

Serial serial_steps(const PlanResult& result) {
  const OpenProgram program(result.program);
  const format::VariantRecord& variant = program->variants()[last_variant(program, 0)];
  const planner::VariantReport& report = result.report.variants.back();
  Serial found{0, report.optimize, report.memories.peak_sum_bytes};
  for (const format::StepRecord& step : program->steps_of(variant)) {
    found.steps += (step.flags & format::kSerial) != 0 ? 1 : 0;
  }
  return found;
}

TEST(Plan, WhereNoMemoryHasALimitNoStepIsMadeSerialToSaveBytes) {
  // The output of a depthwise convolution may follow its input closely.
  GraphBuilder b;
  const ValueId wide = b.conv(b.input({1, 3, 16, 16}), 24, 3, 1);
  b.output(b.max_pool(b.conv(wide, 24, 3, 1, 24), 2));
  const Graph graph = b.graph();
  const auto inputs = test_inputs(graph, 3);
  PlanOptions options = options_for({"host"});
  const Serial by_default = serial_steps(plan_one(graph, options));
  EXPECT_EQ(by_default.optimize, "speed");
  EXPECT_EQ(by_default.steps, 0u);
  options.optimize = planner::Optimize::kMemory;
  const PlanResult small = plan_one(graph, options);
  EXPECT_EQ(serial_steps(small).optimize, "memory");
  EXPECT_GT(serial_steps(small).steps, 0u);
  EXPECT_LT(serial_steps(small).bytes, by_default.bytes);
  // A limit, even one that is never reached.
  options.optimize = std::nullopt;
  options.boards[0].memories[0].memory.size_bytes = 1u << 30;
  const PlanResult limited = plan_one(graph, options);
  EXPECT_EQ(limited.program, small.program);
  options.optimize = planner::Optimize::kSpeed;
  const PlanResult fast = plan_one(graph, options);
  EXPECT_EQ(serial_steps(fast).steps, 0u);
  for (const PlanResult* result : {&small, &fast}) {
    const OpenProgram program(result->program);
    RunRequest request;
    request.variant = last_variant(program, 0);
    EXPECT_EQ(run(*program, request, inputs), planner::interpret(graph, inputs));
  }
}

TEST(Plan, OfManyGraphsForSpeedNoneHasASerialStep) {
  PlanOptions options = options_for({"host"});
  for (const auto algorithm : {memory::Algorithm::kGreedyBySize, memory::kDefaultAlgorithm}) {
    options.memory_planner = algorithm;
    for (uint32_t seed = 1; seed <= 60; ++seed) {
      EXPECT_EQ(serial_steps(plan_one(random_graph(seed), options)).steps, 0u) << seed;
    }
  }
}

TEST(Plan, TwoMethodsShareConstants) {
  const PlanOptions options = options_for({"mps3-an547"});
  const Graph graph = small_network();
  const PlanResult one = plan_one(graph, options);
  const PlanResult two = planner::plan_graphs({{"a", graph, {}}, {"b", graph, {}}}, options);
  EXPECT_EQ(one.report.constant_bytes, two.report.constant_bytes);
  const OpenProgram program(two.program);
  ASSERT_EQ(program->methods().size(), 2u);
  const auto inputs = test_inputs(graph, 5);
  for (const char* name : {"a", "b"}) {
    RunRequest request;
    request.method = *program->find_method(name);
    EXPECT_EQ(run(*program, request, inputs), planner::interpret(graph, inputs));
  }
}

TEST(Plan, BoardsWithOnePackingShareConstants) {
  PlanOptions options = options_for({"mps3-an547", "host"});
  options.boards[1].variants = {{}};  // without shaders it wants rows, as the other does
  const PlanResult both = plan_one(small_network(), options);
  const PlanResult one = plan_one(small_network(), options_for({"mps3-an547"}));
  EXPECT_EQ(both.report.constant_bytes, one.report.constant_bytes);
}

TEST(Plan, StripKeepsOneBoardWithItsConstantsNamesAndVectors) {
  const Graph graph = random_graph(4);
  const auto inputs = test_inputs(graph, 4);
  const auto expected = planner::interpret(graph, inputs);
  const PlanResult both =
      planner::plan_graphs({{"a", graph, {{inputs, expected}}}, {"b", small_network(), {}}},
                           options_for({"host", "mps3-an547"}));
  for (const char* board : {"host", "mps3-an547"}) {
    SCOPED_TRACE(board);
    const PlanResult alone = planner::plan_graphs(
        {{"a", graph, {{inputs, expected}}}, {"b", small_network(), {}}}, options_for({board}));
    const std::vector<std::byte> stripped = planner::strip(both.program, board);
    EXPECT_LT(stripped.size(), both.program.size());
    EXPECT_EQ(stripped.size(), alone.program.size()) << "as if planned for it alone";
    const OpenProgram program(stripped);
    RunRequest request;
    request.variant = last_variant(program, 0);
    EXPECT_EQ(run(*program, request, inputs), expected);
    EXPECT_EQ(test_vector_count(program->section(format::SectionKind::kTestVectors), 0), 1u);
    const planner::ProgramInfo info = planner::inspect(stripped);
    const planner::ProgramInfo wanted = planner::inspect(alone.program);
    ASSERT_EQ(info.methods.size(), 2u);
    for (size_t m = 0; m < 2; ++m) {
      EXPECT_EQ(info.methods[m].inputs[0].name, wanted.methods[m].inputs[0].name);
      ASSERT_EQ(info.methods[m].variants.size(), wanted.methods[m].variants.size());
      for (size_t v = 0; v < info.methods[m].variants.size(); ++v) {
        const auto& got = info.methods[m].variants[v];
        const auto& other = wanted.methods[m].variants[v];
        EXPECT_EQ(got.board, board);
        ASSERT_EQ(got.steps.size(), other.steps.size());
        for (size_t s = 0; s < got.steps.size(); ++s) {
          EXPECT_EQ(got.steps[s].nodes, other.steps[s].nodes);
          EXPECT_EQ(got.steps[s].dispatches, other.steps[s].dispatches);
        }
      }
    }
  }
}

TEST(Plan, StripRefusesBoardsThatAreNotThere) {
  const PlanResult result = plan_one(small_network(), options_for({"host"}));
  try {
    planner::strip(result.program, "mps3-an547");
    FAIL();
  } catch (const planner::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("mps3-an547"));
    EXPECT_THAT(error.what(), HasSubstr("host"));
  }
  std::vector<std::byte> damaged = result.program;
  damaged[damaged.size() / 2] ^= std::byte{1};
  EXPECT_THROW(planner::strip(damaged, "host"), planner::InputError);
  EXPECT_THROW(planner::strip({}, "host"), planner::InputError);
}

TEST(Plan, StepsNameTheNodesTheyComeFrom) {
  const PlanResult result = plan_one(small_network(), options_for({"mps3-an547"}));
  const OpenProgram program(result.program);
  const auto map = program->section(format::SectionKind::kSourceMap);
  EXPECT_EQ(source_node(map, 0, 1, 0), "conv_1");
  const auto names = program->section(format::SectionKind::kNames);
  EXPECT_EQ(input_name(names, 0, 0), "v0");
}

TEST(Plan, WithoutNamesTheProgramIsSmallerAndRuns) {
  PlanOptions options = options_for({"mps3-an547"});
  const Graph graph = small_network();
  const size_t with = plan_one(graph, options).program.size();
  options.names = options.source_map = false;
  const PlanResult without = plan_one(graph, options);
  EXPECT_LT(without.program.size(), with);
  const OpenProgram program(without.program);
  const auto inputs = test_inputs(graph, 1);
  EXPECT_EQ(run(*program, {}, inputs), planner::interpret(graph, inputs));
}

TEST(Plan, GraphWithoutStepsIsOneCopy) {
  GraphBuilder b;
  b.output(b.input({2, 2}));
  const PlanResult result = plan_one(b.graph(), options_for({"host"}));
  const OpenProgram program(result.program);
  RunRequest request;
  request.variant = last_variant(program, 0);
  const auto inputs = test_inputs(b.graph(), 1);
  EXPECT_EQ(run(*program, request, inputs), inputs);
}

TEST(Plan, RefusesRequestsThatMakeNoSense) {
  const PlanOptions host = options_for({"host"});
  EXPECT_THROW(planner::plan_graphs({}, host), planner::InputError);
  EXPECT_THROW(plan_one(small_network(), {}), planner::InputError);
  EXPECT_THROW(plan_one(small_network(), options_for({"host", "host"})), planner::InputError);
  EXPECT_THROW(planner::plan_graphs({{"a", small_network(), {}}, {"a", small_network(), {}}}, host),
               planner::InputError);
}

TEST(Plan, ReportIsCompleteAsTextAndJson) {
  const PlanResult result = plan_one(small_network(), options_for({"mps3-an547"}));
  const std::string text = planner::to_text(result.report);
  for (const char* part : {"dtcm", "0x30008000", "491520", "32768", "conv_2"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  const std::string json = planner::to_json(result.report, "x.arn");
  for (const char* key : {"program", "bytes", "arenas", "peak_bytes", "lower_bound_bytes",
                          "constant_bytes", "steps", "view_steps", "vulkan_steps", "seconds"}) {
    EXPECT_THAT(json, HasSubstr("\"" + std::string(key) + "\""));
  }
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

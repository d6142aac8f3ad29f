// Passes that lower the peak: the same bits with each of them on and off, and never a higher peak.
#include "planner/steps/peak/reduction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "planner/graph/interpret.h"
#include "planner/passes/passes.h"
#include "planner/plan.h"
#include "tests/planner/plan/plain_board.h"
#include "tests/planner/plan/random_graph.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

using Names = std::vector<std::string>;

struct Result {
  std::vector<std::vector<std::byte>> outputs;
  planner::PeakReport lowering;
};

// On the CPU of a board.
Result plan_and_run(const Graph& graph, const Names& disabled, const char* board = "mps3-an547",
                    planner::Optimize optimize = planner::Optimize::kMemory) {
  planner::PlanOptions options;
  options.optimize = optimize;
  options.boards = {plain_board(board)};
  options.disabled_passes = disabled;
  const planner::PlanResult planned = planner::plan_graphs({{"main", graph, {}}}, options);
  const OpenProgram program(planned.program);
  RunRequest request;
  request.variant = program->methods()[0].variant_count - 1;
  Result result;
  result.outputs = run(*program, request, test_inputs(graph, 7));
  result.lowering = planned.report.variants.back().lowering;
  return result;
}

// With these off, a concatenation in place is what saves most.
const Names kNoOverlap = {"in_place", "partial_overlap"};

Names all_names() {
  Names names;
  for (const planner::PeakPass& pass : planner::peak_passes()) names.push_back(pass.name);
  return names;
}

// The interpreter's bits with every pass on, every pass off, and each off and on alone.
void expect_same_bits(const Graph& graph) {
  const auto expected = planner::interpret(graph, test_inputs(graph, 7));
  std::vector<Names> choices{{}, all_names()};
  for (const std::string& name : all_names()) {
    choices.push_back({name});
    choices.push_back(all_names());
    std::erase(choices.back(), name);
  }
  uint64_t without = 0;
  for (const Names& disabled : choices) {
    std::string text = "without";
    for (const std::string& name : disabled) text += " " + name;
    SCOPED_TRACE(text);
    const Result result = plan_and_run(graph, disabled);
    ASSERT_EQ(result.outputs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(result.outputs[i] == expected[i]) << i;
    if (disabled.size() == all_names().size()) without = result.lowering.native_bytes;
    for (const planner::PeakEffect& effect : result.lowering.effects) {
      const bool off = std::find(disabled.begin(), disabled.end(), effect.pass) != disabled.end();
      EXPECT_EQ(effect.enabled, !off) << effect.pass;
      EXPECT_TRUE(!off || effect.places == 0) << effect.pass;
    }
    EXPECT_LE(result.lowering.effects.back().live_bytes, result.lowering.native_bytes);
    EXPECT_TRUE(without == 0 || result.lowering.native_bytes == without);
  }
}

uint32_t places(const planner::PeakReport& report, const std::string& pass) {
  for (const planner::PeakEffect& effect : report.effects) {
    if (effect.pass == pass) return effect.places;
  }
  ADD_FAILURE() << pass;
  return 0;
}

TEST(Lowering, RandomGraphsGiveTheSameBitsWithEachPassOnAndOff) {
  for (uint32_t seed = 1001; seed <= 1120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_same_bits(random_graph(seed));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Lowering, DenseBlocksChainInOneStorage) {
  GraphBuilder b;
  ValueId x = b.conv(b.input({1, 3, 8, 8}), 8, 3, 1);
  for (int i = 0; i < 3; ++i) x = b.concat({x, b.conv(b.conv(x, 16, 1), 4, 3, 1)}, 1);
  b.output(b.conv(x, 2, 1));
  expect_same_bits(b.graph());
  EXPECT_EQ(places(plan_and_run(b.graph(), kNoOverlap).lowering, "concat_in_place"), 3u);
}

TEST(Lowering, ConcatenationsOfEveryKindOfPart) {
  for (uint32_t axis = 0; axis < 4; ++axis) {
    SCOPED_TRACE("axis " + std::to_string(axis));
    GraphBuilder b;
    const ValueId x = b.input({2, 3, 4, 5});
    const ValueId y = b.clip(x, 0, 1);
    const ValueId z = b.node(Op::kSigmoid, {x}, b.dims(x));
    const ValueId joined = b.concat({y, x, z, y, b.constant(b.dims(x))}, axis);
    b.output(joined);
    b.output(b.add(y, z));
    expect_same_bits(b.graph());
    EXPECT_EQ(places(plan_and_run(b.graph(), kNoOverlap).lowering, "concat_in_place"), 1u);
  }
}

// All parts live from the first one on where they are written in place, and copies take time.
TEST(Lowering, HostsPlannedForSpeedCopyNoPartForFewBytes) {
  GraphBuilder b;
  const ValueId x = b.input({1, 1, 8, 8});
  const ValueId early = b.conv(x, 8, 1);
  const ValueId wide = b.conv(b.conv(x, 64, 1), 1, 1);
  b.output(b.conv(b.concat({b.conv(early, 1, 1), wide, b.conv(wide, 8, 1)}, 1), 1, 1));
  const Result small = plan_and_run(b.graph(), {}, "host");
  const Result fast = plan_and_run(b.graph(), {}, "host", planner::Optimize::kSpeed);
  EXPECT_EQ(places(small.lowering, "concat_in_place"), 0u);
  EXPECT_EQ(places(fast.lowering, "concat_in_place"), 1u);
  EXPECT_EQ(small.outputs, fast.outputs);
}

TEST(Lowering, PadsWithBordersOnAllSides) {
  GraphBuilder b;
  const ValueId x = b.input({1, 2, 8, 8});
  PadAttributes attributes{};
  attributes.begin[1] = 1;
  attributes.begin[2] = 2;
  attributes.begin[3] = 1;
  const float value = 0.5f;
  std::memcpy(attributes.value_bits, &value, sizeof(value));
  const ValueId padded =
      b.node(Op::kPad, {b.node(Op::kSigmoid, {x}, b.dims(x))}, {1, 4, 11, 10}, attributes);
  b.output(b.max_pool(b.clip(padded, 0, 1), 1));
  expect_same_bits(b.graph());
}

// Four wide branches, first all begun and then all ended.
TEST(Lowering, BranchesAreFinishedOneByOne) {
  GraphBuilder b;
  const ValueId x = b.input({1, 4, 4, 4});
  std::vector<ValueId> wide;
  for (int i = 0; i < 4; ++i) wide.push_back(b.conv(x, 64, 1));
  ValueId sum = kNoValue;
  for (const ValueId v : wide) {
    const ValueId narrow = b.conv(v, 4, 1);
    sum = sum == kNoValue ? narrow : b.add(sum, narrow);
  }
  b.output(sum);
  expect_same_bits(b.graph());
  const planner::PeakReport report = plan_and_run(b.graph(), {}).lowering;
  EXPECT_GT(places(report, "order"), 0u);
  EXPECT_LT(report.final_bytes, report.baseline_bytes / 2);
}

TEST(Lowering, AnInputInPlanesIsCopiedWhereItsReaderThenOverlapsAllOfIt) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 32, 32});
  b.output(b.conv(b.max_pool(b.conv(x, 16, 3, 1), 2), 2, 1));
  expect_same_bits(b.graph());
  const planner::PeakReport with = plan_and_run(b.graph(), {}).lowering;
  const planner::PeakReport without = plan_and_run(b.graph(), {"input_copies"}).lowering;
  EXPECT_EQ(places(with, "input_copies"), 1u);
  EXPECT_EQ(with.effects.back().saved_bytes,
            static_cast<int64_t>(without.effects.back().live_bytes) -
                static_cast<int64_t>(with.effects.back().live_bytes));
  // Two of the three planes, less a few rows.
  EXPECT_LT(with.final_bytes + 4 * 32 * 32, without.final_bytes);
}

// Copies of planes in a plan; the plain steps, of which packing may take fewer bytes, have them
// too.
uint32_t plane_copies(const Graph& graph, const char* board, planner::Optimize optimize,
                      const Names& disabled) {
  planner::PlanOptions options;
  options.optimize = optimize;
  options.boards = {unmeasured_board(board)};
  options.disabled_passes = disabled;
  const planner::PlanResult planned = planner::plan_graphs({{"main", graph, {}}}, options);
  return places(planned.report.variants.back().lowering, "input_copies");
}

uint32_t copies_for_speed(const Graph& graph, const Names& disabled) {
  return plane_copies(graph, "host", planner::Optimize::kSpeed, disabled);
}

TEST(Lowering, PlanesOfManyChannelsAreCopiedForSpeed) {
  GraphBuilder b;
  b.output(b.conv(b.conv(b.input({1, 16, 6, 6}), 12, 3), 8, 3));
  EXPECT_EQ(copies_for_speed(b.graph(), {}), 2u);
  EXPECT_EQ(copies_for_speed(b.graph(), {"order"}), 2u);
  EXPECT_EQ(copies_for_speed(b.graph(), {"input_copies"}), 0u);
  GraphBuilder image;
  image.output(image.clip(image.conv(image.input({1, 3, 6, 6}), 4, 3), 0, 1));
  EXPECT_EQ(copies_for_speed(image.graph(), {}), 0u);
}

// A large result hides a copy of the image that it overlaps; a small one does not.
TEST(Lowering, AnImageOfBytesIsCopiedForFewBytesWhereNoMoreLive) {
  const auto copies = [](uint32_t channels, uint32_t outputs, planner::Optimize optimize) {
    GraphBuilder b;
    b.output(b.quantized_conv(b.input({1, channels, 16, 16}, DType::kInt8), outputs, 3));
    return plane_copies(b.graph(), "mps2-an386", optimize, {});
  };
  EXPECT_EQ(copies(3, 16, planner::Optimize::kMemory), 1u);
  EXPECT_EQ(copies(8, 2, planner::Optimize::kMemory), 0u);
  EXPECT_EQ(copies(8, 2, planner::Optimize::kSpeed), 1u);
}

// One branch of a pair reads the input for the last time and may overlap it: the wide one, once the
// other has run.
TEST(Lowering, AnOrderIsSoughtInWhichOutputsOverlap) {
  GraphBuilder b;
  const ValueId x = b.clip(b.input({1, 8, 8, 8}), 0, 1);
  b.output(b.conv(b.conv(x, 32, 1), 2, 1));
  b.output(b.max_pool(x, 4));
  expect_same_bits(b.graph());
  const planner::PeakReport with = plan_and_run(b.graph(), {}).lowering;
  const planner::PeakReport without = plan_and_run(b.graph(), {"order"}).lowering;
  EXPECT_GT(places(with, "order"), 0u);
  EXPECT_LT(with.final_bytes, without.final_bytes);
}

TEST(Lowering, BaselineCountsTheFusedGraphAsItIs) {
  GraphBuilder b;
  const ValueId x = b.input({16});
  const ValueId y = b.clip(x, 0, 1);
  b.output(b.add(b.reshape(y, {4, 4}), b.constant({4, 4})));
  EXPECT_EQ(planner::baseline_live_bytes(b.graph()), 128u);
}

TEST(Lowering, NamesOfPassesAreChecked) {
  for (const std::string& name : all_names()) EXPECT_NO_THROW(planner::switches_of(Names{name}));
  EXPECT_EQ(planner::switches_of(Names{"dead_code"}).graph_disabled, (Names{"dead_code"}));
  try {
    planner::switches_of(Names{"no_such_pass"});
    FAIL();
  } catch (const planner::InputError& error) {
    for (const std::string& name : all_names()) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << name;
    }
    EXPECT_NE(std::string(error.what()).find("fuse_padding"), std::string::npos);
  }
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

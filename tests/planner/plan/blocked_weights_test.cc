// Weights in the blocks that a form wants: packed so, read by references with the same bits, shown
// by inspect, and refused where a program's words about them are damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/graph/interpret.h"
#include "planner/plan.h"
#include "planner/program/inspect.h"
#include "planner/program/writer.h"
#include "tests/planner/plan/blocked_table.h"
#include "tests/planner/plan/graph_builder.h"
#include "tests/planner/plan/plain_board.h"
#include "tests/planner/plan/run_program.h"

namespace arenite::test {
namespace {

constexpr Blocks kFloats = {8, 2, 32};

// A convolution and a matrix product, of floats and of integers in that range; neither outputs nor
// inner indices fill their blocks.
Graph products(int low = -128, int high = 127) {
  GraphBuilder b;
  b.output(b.conv(b.input({1, 5, 6, 6}), 18, 3, 1));
  const ValueId m = b.input({4, 7});
  b.output(b.node(Op::kMatMul, {m, b.constant({7, 19}, 3)}, {4, 19}, MatMulAttributes{1, 1, {}}));
  QuantizedConvAttributes conv = {};
  conv.groups = 1;
  for (uint32_t axis = 0; axis < 2; ++axis) conv.stride[axis] = conv.dilation[axis] = 1;
  const auto sums = [&](Op op, const Dims& x, const Dims& w, const Dims& y, const auto& of) {
    size_t count = 1;
    for (const uint32_t dim : w) count *= dim;
    const ValueId weights = b.constant_bytes(w, DType::kInt8, random_weights(count, low, high));
    const ValueId sum = b.node(op, {b.input(x, DType::kInt8), weights}, y, of);
    b.graph().values[sum].dtype = DType::kInt32;
    b.output(sum);
  };
  sums(Op::kQuantizedConv, {1, 3, 5, 5}, {5, 3, 3, 3}, {1, 5, 3, 3}, conv);
  sums(Op::kQuantizedMatMul, {4, 7}, {7, 9}, {4, 9}, QuantizedMatMulAttributes{});
  return b.graph();
}

planner::PlanOptions options_for(const BlockedTable& table, const char* board = "mps3-an547") {
  planner::PlanOptions options;
  options.boards = {planner::find_board(board)};
  options.ops = table.ops();
  options.exact_forms = false;
  return options;
}

std::vector<std::byte> planned(const Graph& graph, const planner::PlanOptions& options) {
  return planner::plan_graphs({{"main", graph, {}}}, options).program;
}

// The layouts of constants, as inspect prints them.
std::vector<std::string> constant_layouts(const std::vector<std::byte>& program) {
  std::vector<std::string> layouts;
  for (const auto& method : planner::inspect(program).methods) {
    for (const auto& value : method.variants[0].values) {
      if (value.kind == "constant") layouts.push_back(value.layout);
    }
  }
  return layouts;
}

TEST(BlockedWeights, GiveTheSameBitsInEverySize) {
  for (const Blocks integers :
       {Blocks{16, 4, 8}, Blocks{4, 4, 8}, Blocks{2, 2, 16}, Blocks{8, 4, 4}}) {
    for (const bool near : {false, true}) {
      SCOPED_TRACE(testing::Message() << int{integers.n} << " of " << int{integers.bits}
                                      << (near ? " copied near" : ""));
      const Graph graph = integers.bits == 4 ? products(-8, 7) : products();
      const BlockedTable table(kFloats, integers);
      planner::PlanOptions options = options_for(table);
      options.near_constants = near;
      const OpenProgram program(planned(graph, options));
      EXPECT_EQ(program->header().required_features & format::kBlockedFeature,
                format::kBlockedFeature);
      const auto inputs = test_inputs(graph, 7);
      const auto expected = planner::interpret(graph, inputs);
      EXPECT_EQ(run(*program, {}, inputs), expected) << "references";
      EXPECT_EQ(run(*program, {.ops = table.ops()}, inputs), expected);
    }
  }
}

TEST(BlockedWeights, AreShownByInspect) {
  const BlockedTable table(kFloats, {8, 4, 8});
  EXPECT_THAT(
      constant_layouts(planned(products(), options_for(table))),
      testing::UnorderedElementsAre("strided", "blocks 8x2 of 32 bits", "blocks 8x2 of 32 bits",
                                    "blocks 8x4 of 8 bits", "blocks 8x4 of 8 bits"));
}

// What does not fit 4 bits stays as another form reads it.
TEST(BlockedWeights, OnlyWhatFits) {
  const BlockedTable table(kFloats, {8, 4, 4});
  const Graph graph = products(-30, 30);
  EXPECT_THAT(constant_layouts(planned(graph, options_for(table))),
              testing::UnorderedElementsAre("strided", "blocks 8x2 of 32 bits",
                                            "blocks 8x2 of 32 bits", "strided", "strided"));
}

// Shaders read no such blocks.
TEST(BlockedWeights, AreTheCpusAloneOnABoardWithVulkan) {
  const BlockedTable table(kFloats, {8, 4, 8});
  planner::PlanOptions options = options_for(table, "host");
  options.boards = {plain_board("host")};
  const auto result = planner::plan_graphs({{"main", products(), {}}}, options);
  // Shaders run the products from weights that they read; the CPU's variant has its blocks.
  ASSERT_EQ(result.report.variants.size(), 2u);
  EXPECT_EQ(result.report.variants[0].counts.cpu, 0u);
  EXPECT_EQ(result.report.variants[1].counts.vulkan, 0u);
  const OpenProgram program(result.program);
  EXPECT_EQ(program->header().required_features & format::kBlockedFeature, format::kBlockedFeature);
}

// Damage that a file may have, and the check that finds it.
TEST(BlockedWeights, DamageIsNamed) {
  const Graph graph = products();
  const BlockedTable table(kFloats, {16, 4, 16});
  const OpenProgram whole(planned(graph, options_for(table)));
  const auto inputs = test_inputs(graph, 7);
  // Gives tables with the record of the first convolution's weights to `plant`.
  const auto damaged = [&](auto plant) {
    planner::ProgramTables tables = planner::tables_of(*whole);
    format::ConstantRecord& w = tables.constants[0];
    EXPECT_EQ(w.layout, static_cast<uint8_t>(Layout::kBlocked));
    plant(tables, w, tables.shapes.data() + w.shape + w.rank);
    return planner::write_program(tables);
  };
  const auto open_code = [&](auto plant) {
    const std::vector<std::byte> file = damaged(plant);
    GuardedBytes copy(file.size());
    std::copy(file.begin(), file.end(), copy.bytes().begin());
    Program program;
    return Program::open(copy.bytes(), program).code;
  };
  EXPECT_EQ(open_code([](auto&, auto&, uint32_t*) {}), Code::kOk);
  EXPECT_EQ(open_code([](auto& t, auto&, uint32_t*) { t.required_features = 0; }), Code::kBadValue);
  EXPECT_EQ(open_code([](auto&, auto& w, uint32_t*) { w.layout = 4; }), Code::kBadValue);
  EXPECT_EQ(open_code([](auto&, auto& w, uint32_t*) { w.rank = 1; }), Code::kBadValue);

  const auto expect_refused = [&](const char* what, auto plant) {
    SCOPED_TRACE(what);
    const OpenProgram program(
        damaged([&](auto&, auto& w, uint32_t* strides) { plant(w, strides); }));
    EXPECT_TRUE(run(*program, {.load_code = Code::kBadLayout}, inputs).empty());
  };
  const uint32_t word = word_of(kFloats);
  expect_refused("no word", [](auto&, uint32_t* s) { s[0] = 0; });
  expect_refused("outputs of 0", [&](auto&, uint32_t* s) { s[0] = word & ~0xffu; });
  expect_refused("inner indices of 0", [&](auto&, uint32_t* s) { s[0] = word & ~0xff00u; });
  expect_refused("bits of another type", [](auto&, uint32_t* s) { s[0] = word_of({8, 2, 16}); });
  expect_refused("no such bits", [](auto&, uint32_t* s) { s[0] = word_of({8, 2, 33}); });
  expect_refused("unknown bits", [&](auto&, uint32_t* s) { s[0] = word | 1u << 24; });
  expect_refused("another dim", [](auto&, uint32_t* s) { std::swap(s[0], s[3]); });
  expect_refused("two dims", [&](auto&, uint32_t* s) { s[3] = word; });
  expect_refused("a block of many outputs", [](auto&, uint32_t* s) {
    s[0] = word_of({255, 2, 32});
  });
  expect_refused("a byte less", [](auto& w, uint32_t*) { --w.bytes; });
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

// Tests which pointwise and depthwise convolutions become one node for devices, and that results
// stay.
#include "planner/passes/integers/joined_depthwise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/attributes.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/run_model.h"
#include "tests/planner/plan/quantized_block.h"

namespace arenite::test {
namespace {

using planner::Graph;
using planner::ModelBuilder;
using ::testing::ElementsAre;

constexpr int64_t kChannels = 12;

// x [1, 8, size, size]; what is made of it has kChannels channels.
struct JoinedPair : ModelBuilder {
  explicit JoinedPair(uint32_t size = 9) : ModelBuilder(13), image{size} {
    const std::string text = std::to_string(size);
    input("x", {"1", "8", text, text});
    initializer("w", planner::random_tensor({kChannels, 8, 1, 1}, 1));
    initializer("b", planner::random_tensor({kChannels}, 2));
    initializer("d", planner::random_tensor({kChannels, 1, 3, 3}, 3));
    initializer("e", planner::random_tensor({kChannels}, 4));
  }
  JoinedPair& pointwise(const std::vector<std::string>& inputs = {"x", "w", "b"}) {
    node("Conv", inputs, {"p"}, "pointwise").node("Relu", {"p"}, {"r"}, "relu");
    return *this;
  }
  JoinedPair& depthwise(int64_t groups = kChannels) {
    node("Conv", {"r", "d", "e"}, {"c"}, "depthwise").with("group", groups);
    with_ints("strides", {2, 2}).with_ints("pads", {1, 0, 1, 1});
    node("HardSwish", {"c"}, {"y"}, "hard_swish").output("y");
    return *this;
  }

  Graph graph() const {
    Graph graph = planner::import_onnx(bytes(), {});
    planner::optimize(graph);
    return graph;
  }
  // Whether there was something to join, after which results must be the same.
  bool is_joined() const {
    const Graph plain = graph();
    const std::optional<Graph> joined = planner::with_joined_depthwise(plain, true);
    if (!joined.has_value()) return false;
    const std::vector<planner::TensorData> x = {planner::random_tensor({1, 8, image, image}, 7)};
    const auto expected = planner::run_graph(plain, x), found = planner::run_graph(*joined, x);
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found[i].bytes, expected[i].bytes);
    }
    return true;
  }

  uint32_t image;
};

TEST(JoinedDepthwise, TakesThePointwiseConvolutionBefore) {
  JoinedPair block;
  block.pointwise().depthwise();
  ASSERT_TRUE(block.is_joined());
  const Graph joined = planner::with_joined_depthwise(block.graph(), true).value();
  ASSERT_EQ(joined.nodes.size(), 1u);
  const planner::Node& node = joined.nodes[0];
  EXPECT_EQ(node.op, Op::kPointwiseDepthwise);
  EXPECT_THAT(node.sources, ElementsAre("pointwise", "relu", "depthwise", "hard_swish"));
  EXPECT_EQ(planner::bounds(joined.values[node.inputs[3]].dims),
            (std::vector<uint32_t>{3, 3, kChannels}));
  const auto attributes = node.attributes_as<PointwiseDepthwiseAttributes>();
  EXPECT_EQ(attributes.activation.kind, ActivationKind::kHardSwish);
  EXPECT_EQ(attributes.inner_activation.kind, ActivationKind::kClip);
  EXPECT_THAT(attributes.stride, ElementsAre(2, 2));
  EXPECT_THAT(attributes.pad_begin, ElementsAre(1, 0));
  EXPECT_FALSE(planner::with_joined_depthwise(joined, true).has_value());
}

TEST(JoinedDepthwise, LeavesOthersAlone) {
  JoinedPair read_twice;
  read_twice.pointwise().depthwise().output("r");
  EXPECT_FALSE(read_twice.is_joined());

  JoinedPair without_bias;
  without_bias.pointwise({"x", "w"}).depthwise();
  EXPECT_FALSE(without_bias.is_joined());

  JoinedPair wide;
  wide.initializer("v", planner::random_tensor({kChannels, 8, 3, 3}, 5));
  wide.pointwise({"x", "v", "b"}).depthwise();
  EXPECT_FALSE(wide.is_joined());

  JoinedPair in_groups;
  in_groups.pointwise().initializer("d4", planner::random_tensor({kChannels, 3, 3, 3}, 6));
  in_groups.node("Conv", {"r", "d4", "e"}, {"y"}, "groups").with("group", 4).output("y");
  EXPECT_FALSE(in_groups.is_joined());
}

// Each bit stands for a convolution of a block that has a sigmoid of its results behind it.
enum Tables : uint32_t { kNoTables = 0, kInner = 1, kOuter = 2 };

// The same block of bytes; its zero points are none of 0, `type` is that of images.
struct IntegerBlock : ModelBuilder {
  explicit IntegerBlock(DType type, DType weights, uint32_t tables = kNoTables)
      : ModelBuilder(13), x(integer_noise(type, {1, 8, 9, 9}, 7)) {
    input("x", {"1", "8", "9", "9"}, type);
    for (const char* name : {"x", "p", "q", "y", "z"}) {
      initializer(std::string(name) + ".s", planner::float_tensor({}, {0.02f}));
      initializer(std::string(name) + ".z",
                  planner::integer_tensor(type, {}, {type == DType::kUint8 ? 117 : -5}));
    }
    const int zero = weights == DType::kUint8 ? 126 : 0;
    initializer("w", integer_noise(weights, {kChannels, 8, 1, 1}, 1));
    initializer("d", integer_noise(weights, {kChannels, 1, 3, 3}, 3));
    initializer("w.s", planner::float_tensor({}, {0.01f}));
    initializer("w.z", planner::integer_tensor(weights, {}, {zero}));
    initializer("b",
                planner::integer_tensor(DType::kInt32, {kChannels},
                                        {0, 900, -700, 5, 31, -4000, 250, 1, 77, -80, 1234, -1}));
    node("QLinearConv", {"x", "x.s", "x.z", "w", "w.s", "w.z", "p.s", "p.z", "b"}, {"p"},
         "pointwise");
    const bool inner = (tables & kInner) != 0, outer = (tables & kOuter) != 0;
    if (inner) sigmoid("p", "q");
    const std::string from = inner ? "q" : "p";
    node("QLinearConv", {from, from + ".s", from + ".z", "d", "w.s", "w.z", "y.s", "y.z"}, {"y"},
         "depthwise");
    with("group", kChannels).with_ints("strides", {2, 2}).with_ints("pads", {1, 0, 1, 1});
    if (outer) sigmoid("y", "z");
    output(outer ? "z" : "y", type);
  }
  // As models have it, through floats.
  void sigmoid(const std::string& from, const std::string& to) {
    node("DequantizeLinear", {from, from + ".s", from + ".z"}, {from + ".f"}, from + "_float");
    node("Sigmoid", {from + ".f"}, {to + ".f"}, to + "_sigmoid");
    node("QuantizeLinear", {to + ".f", to + ".s", to + ".z"}, {to}, to + "_integers");
  }
  Graph graph() const {
    Graph graph = planner::import_onnx(bytes(), {});
    planner::optimize(graph);
    return graph;
  }

  planner::TensorData x;
};

TEST(JoinedDepthwise, TakesIntegersToTheBit) {
  for (const DType type : {DType::kUint8, DType::kInt8}) {
    for (const DType weights : {DType::kUint8, DType::kInt8}) {
      if (type == DType::kInt8 && weights == DType::kUint8) continue;
      const IntegerBlock block(type, weights);
      const Graph plain = block.graph();
      const std::optional<Graph> joined = planner::with_joined_depthwise(plain, true);
      ASSERT_TRUE(joined.has_value());
      ASSERT_EQ(joined->nodes.size(), 1u);
      EXPECT_EQ(joined->nodes[0].op, Op::kQuantizedPointwiseDepthwise);
      EXPECT_THAT(joined->nodes[0].sources, ElementsAre("pointwise", "depthwise"));
      EXPECT_EQ(planner::run_graph(*joined, {block.x})[0].bytes,
                planner::run_graph(plain, {block.x})[0].bytes);
    }
  }
}

TEST(JoinedDepthwise, TakesTablesToTheBit) {
  for (const DType type : {DType::kUint8, DType::kInt8}) {
    for (const uint32_t tables : {0u + kInner, 0u + kOuter, kInner | kOuter}) {
      const IntegerBlock block(type, DType::kInt8, tables);
      const Graph plain = block.graph();
      const std::optional<Graph> joined = planner::with_joined_depthwise(plain, true);
      ASSERT_TRUE(joined.has_value());
      ASSERT_EQ(joined->nodes.size(), 1u);
      EXPECT_EQ(joined->nodes[0].op, Op::kQuantizedPointwiseDepthwise);
      EXPECT_EQ(joined->nodes[0].inputs.size(), 6u);
      EXPECT_EQ(planner::run_graph(*joined, {block.x})[0].bytes,
                planner::run_graph(plain, {block.x})[0].bytes);
    }
  }
}

TEST(JoinedDepthwise, LeavesTablesOfWhatIsReadTwice) {
  IntegerBlock inner(DType::kInt8, DType::kInt8, kInner);
  inner.output("p", DType::kInt8);
  EXPECT_FALSE(planner::with_joined_depthwise(inner.graph(), true).has_value());

  IntegerBlock outer(DType::kInt8, DType::kInt8, kOuter);
  outer.output("y", DType::kInt8);
  const std::optional<Graph> joined = planner::with_joined_depthwise(outer.graph(), true);
  ASSERT_TRUE(joined.has_value());
  EXPECT_EQ(joined->nodes.size(), 2u);  // the table stays
}

// The same network as two steps is faster where groups would wait for several tiles each.
TEST(JoinedDepthwise, TakesImagesOfManyTilesForFewBytesAlone) {
  JoinedPair wide(400);
  wide.pointwise().depthwise();
  EXPECT_TRUE(planner::with_joined_depthwise(wide.graph(), true).has_value());
  EXPECT_FALSE(planner::with_joined_depthwise(wide.graph(), false).has_value());
  JoinedPair narrow;
  narrow.pointwise().depthwise();
  EXPECT_TRUE(planner::with_joined_depthwise(narrow.graph(), false).has_value());
}

// Neighboring tiles of a large image would compute too many places twice.
TEST(JoinedDepthwise, LeavesLargeImagesAlone) {
  JoinedPair large(1500);
  large.pointwise().depthwise();
  EXPECT_FALSE(planner::with_joined_depthwise(large.graph(), true).has_value());
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

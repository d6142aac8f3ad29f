// Tests which products by gates become one node for devices, and that results stay.
#include "planner/passes/integers/joined_gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/attributes.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/run_model.h"

namespace arenite::test {
namespace {

using planner::Graph;
using planner::ModelBuilder;
using ::testing::ElementsAre;

constexpr int64_t kImageChannels = 12, kHiddenRows = 3;

// x [1, 12, 5, 6], and the gates "g" that its means make.
struct GatedBlock : ModelBuilder {
  GatedBlock() : ModelBuilder(13) {
    input("x", {"1", "12", "5", "6"});
    initializer("w", planner::random_tensor({kHiddenRows, kImageChannels, 1, 1}, 1));
    initializer("b", planner::random_tensor({kHiddenRows}, 2));
    initializer("v", planner::random_tensor({kImageChannels, kHiddenRows, 1, 1}, 3));
    initializer("e", planner::random_tensor({kImageChannels}, 4));
  }
  GatedBlock& gates(const std::string& from = "x",
                    const std::vector<std::string>& first = {"m", "w", "b"}) {
    node("GlobalAveragePool", {from}, {"m"}, "mean");
    node("Conv", first, {"c"}, "first").node("Relu", {"c"}, {"r"}, "relu");
    node("Conv", {"r", "v", "e"}, {"s"}, "second").node("Sigmoid", {"s"}, {"g"}, "sigmoid");
    return *this;
  }
  GatedBlock& product(const std::vector<std::string>& inputs = {"x", "g"}) {
    node("Mul", inputs, {"y"}, "product").output("y");
    return *this;
  }

  Graph graph() const {
    Graph graph = planner::import_onnx(bytes(), {});
    planner::optimize(graph);
    return graph;
  }
  // Whether there was something to join, after which results must be about the same.
  bool is_joined() const {
    const Graph plain = graph();
    const std::optional<Graph> joined = planner::with_joined_gates(plain);
    if (!joined.has_value()) return false;
    const std::vector<planner::TensorData> x = {planner::random_tensor({1, 12, 5, 6}, 7)};
    const auto expected = planner::floats_of(planner::run_graph(plain, x)[0].bytes);
    const auto found = planner::floats_of(planner::run_graph(*joined, x)[0].bytes);
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6);
    return true;
  }
};

TEST(JoinedGates, TakesTheMeanAndBothProducts) {
  for (const std::vector<std::string>& inputs : {std::vector<std::string>{"x", "g"}, {"g", "x"}}) {
    GatedBlock block;
    block.gates().product(inputs);
    ASSERT_TRUE(block.is_joined());
    const Graph joined = planner::with_joined_gates(block.graph()).value();
    ASSERT_EQ(joined.nodes.size(), 1u);
    const planner::Node& node = joined.nodes[0];
    EXPECT_EQ(node.op, Op::kSqueezeExcite);
    EXPECT_THAT(node.sources, ElementsAre("mean", "first", "relu", "second", "sigmoid", "product"));
    EXPECT_EQ(planner::bounds(joined.values[node.inputs[1]].dims),
              (std::vector<uint32_t>{2, kHiddenRows, kImageChannels}));
    const auto attributes = node.attributes_as<SqueezeExciteAttributes>();
    EXPECT_EQ(attributes.inner_activation.kind, ActivationKind::kClip);
    EXPECT_EQ(attributes.gate_activation.kind, ActivationKind::kSigmoid);
    EXPECT_FALSE(planner::with_joined_gates(joined).has_value());
  }
}

TEST(JoinedGates, LeavesOthersAlone) {
  GatedBlock read_twice;
  read_twice.gates().product().output("g");
  EXPECT_FALSE(read_twice.is_joined());

  GatedBlock mean_read_twice;
  mean_read_twice.gates().product().output("m");
  EXPECT_FALSE(mean_read_twice.is_joined());

  GatedBlock without_bias;
  without_bias.gates("x", {"m", "w"}).product();
  EXPECT_FALSE(without_bias.is_joined());

  GatedBlock of_another;
  of_another.node("Neg", {"x"}, {"z"}, "neg");
  of_another.gates("z").product();
  EXPECT_FALSE(of_another.is_joined());

  GatedBlock sum;
  sum.gates().node("Add", {"x", "g"}, {"y"}, "sum").output("y");
  EXPECT_FALSE(sum.is_joined());
}

TEST(JoinedGates, LeavesOneGateOfAllChannelsAlone) {
  GatedBlock one;
  one.initializer("v1", planner::random_tensor({1, kHiddenRows, 1, 1}, 3));
  one.initializer("e1", planner::random_tensor({1}, 4));
  one.node("GlobalAveragePool", {"x"}, {"m"}, "mean");
  one.node("Conv", {"m", "w", "b"}, {"c"}, "first");
  one.node("Conv", {"c", "v1", "e1"}, {"g"}, "second");
  one.product();
  EXPECT_FALSE(one.is_joined());
}

// Kernels keep a number of each row.
TEST(JoinedGates, LeavesManyRowsAlone) {
  const int64_t rows = kSqueezeRowsMax + 1;
  GatedBlock many;
  many.initializer("w2", planner::random_tensor({rows, kImageChannels, 1, 1}, 1));
  many.initializer("b2", planner::random_tensor({rows}, 2));
  many.initializer("v2", planner::random_tensor({kImageChannels, rows, 1, 1}, 3));
  many.node("GlobalAveragePool", {"x"}, {"m"}, "mean");
  many.node("Conv", {"m", "w2", "b2"}, {"c"}, "first");
  many.node("Conv", {"c", "v2", "e"}, {"g"}, "second");
  many.product();
  EXPECT_FALSE(many.is_joined());
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

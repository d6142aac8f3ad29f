// Tests which products of bytes by gates become one node for devices, and that results stay.
#include "planner/passes/integers/joined_excitations.h"

#include <gtest/gtest.h>

#include "ops/attributes.h"
#include "ops/quantized_excite.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/run_model.h"
#include "tests/planner/plan/quantized_block.h"

namespace arenite::test {
namespace {

using planner::Graph;
using planner::ModelBuilder;

constexpr uint32_t kGatedChannels = 12, kSqueezedRows = 3;

// x [1, 12, 5, 6], its means "m", and the gates "e" that they make; no zero point is 0.
struct Excitation : ModelBuilder {
  explicit Excitation(DType type, uint32_t rows = kSqueezedRows)
      : ModelBuilder(13), x(integer_noise(type, {1, kGatedChannels, 5, 6}, 7)) {
    input("x", {"1", "12", "5", "6"}, type);
    float scale = 0.02f;
    for (const char* name : {"x", "m", "h", "s", "g", "e", "y"}) {
      initializer(std::string(name) + ".s", planner::float_tensor({}, {scale}));
      initializer(std::string(name) + ".z",
                  planner::integer_tensor(type, {}, {type == DType::kUint8 ? 117 : -5}));
      scale *= 0.9f;
    }
    initializer("w", integer_noise(DType::kInt8, {rows, kGatedChannels, 1, 1}, 1));
    initializer("v", integer_noise(DType::kInt8, {kGatedChannels, rows, 1, 1}, 2));
    initializer("w.s", planner::float_tensor({}, {0.01f}));
    initializer("w.z", planner::integer_tensor(DType::kInt8, {}, {0}));
    node("DequantizeLinear", {"x", "x.s", "x.z"}, {"x.f"}, "x_float");
    node("GlobalAveragePool", {"x.f"}, {"m.f"}, "mean");
    quantize("m");
  }
  Excitation& quantize(const std::string& name) {
    node("QuantizeLinear", {name + ".f", name + ".s", name + ".z"}, {name}, name + "_integers");
    return *this;
  }
  // The convolution of one value to another.
  Excitation& convolve(const std::string& from, const char* weights, const std::string& to) {
    node("QLinearConv",
         {from, from + ".s", from + ".z", weights, "w.s", "w.z", to + ".s", to + ".z"}, {to},
         to + "_conv");
    return *this;
  }
  // A function of a value, through floats.
  Excitation& apply(const char* op, const std::string& from, const std::string& to) {
    node("DequantizeLinear", {from, from + ".s", from + ".z"}, {from + ".d"}, from + "_float");
    node(op, {from + ".d"}, {to + ".f"}, to + "_function");
    return quantize(to);
  }
  Excitation& gates() {
    convolve("m", "w", "h").apply("Sigmoid", "h", "s");
    return convolve("s", "v", "g").apply("HardSigmoid", "g", "e");
  }
  Excitation& product(const std::string& gates, bool gates_first = false) {
    node("DequantizeLinear", {gates, gates + ".s", gates + ".z"}, {"gates.f"}, "gates_float");
    const std::vector<std::string> factors = {gates_first ? "gates.f" : "x.f",
                                              gates_first ? "x.f" : "gates.f"};
    node("Mul", factors, {"y.f"}, "product");
    quantize("y").output("y", x.dtype);
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
    const std::optional<Graph> joined = planner::with_joined_excitations(plain);
    if (!joined.has_value()) return false;
    EXPECT_EQ(planner::run_graph(*joined, {x})[0].bytes, planner::run_graph(plain, {x})[0].bytes);
    EXPECT_FALSE(planner::with_joined_excitations(*joined).has_value());
    return true;
  }

  planner::TensorData x;
};

TEST(JoinedExcitations, TakesBothProductsAndTheirTablesToTheBit) {
  for (const DType type : {DType::kUint8, DType::kInt8}) {
    for (const bool gates_first : {false, true}) {
      Excitation block(type);
      block.gates().product("e", gates_first);
      ASSERT_TRUE(block.is_joined());
      const Graph joined = planner::with_joined_excitations(block.graph()).value();
      ASSERT_EQ(joined.nodes.size(), 2u);  // the mean stays
      const planner::Node& node = joined.nodes[1];
      EXPECT_EQ(node.op, Op::kQuantizedExcite);
      EXPECT_EQ(node.sources.front(), "h_conv");
      EXPECT_EQ(node.sources.back(), "y_integers");
      EXPECT_EQ(planner::bounds(joined.values[node.inputs[kGateWeightsInput]].dims),
                (std::vector<uint32_t>{2, kSqueezedRows, kGatedChannels}));
    }
  }
}

TEST(JoinedExcitations, NeedsNoTables) {
  Excitation block(DType::kUint8);
  block.convolve("m", "w", "h").convolve("h", "v", "g").product("g");
  EXPECT_TRUE(block.is_joined());
}

TEST(JoinedExcitations, LeavesOthersAlone) {
  Excitation gates_read_twice(DType::kInt8);
  gates_read_twice.gates().product("e").output("e", DType::kInt8);
  EXPECT_FALSE(gates_read_twice.is_joined());

  Excitation hidden_read_twice(DType::kInt8);
  hidden_read_twice.gates().product("e").output("s", DType::kInt8);
  EXPECT_FALSE(hidden_read_twice.is_joined());

  Excitation one_product(DType::kInt8);
  one_product.apply("Sigmoid", "m", "h").product("h");
  EXPECT_FALSE(one_product.is_joined());
}

TEST(JoinedExcitations, LeavesOneGateOfAllChannelsAlone) {
  Excitation one(DType::kInt8);
  one.initializer("v1", integer_noise(DType::kInt8, {1, kSqueezedRows, 1, 1}, 2));
  one.convolve("m", "w", "h").convolve("h", "v1", "g").product("g");
  EXPECT_FALSE(one.is_joined());
}

// Kernels keep a number of each row.
TEST(JoinedExcitations, LeavesManyRowsAlone) {
  Excitation most(DType::kInt8, kSqueezeRowsMax);
  most.gates().product("e");
  EXPECT_TRUE(most.is_joined());

  Excitation many(DType::kInt8, kSqueezeRowsMax + 1);
  many.gates().product("e");
  EXPECT_FALSE(many.is_joined());
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

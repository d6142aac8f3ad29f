// Tests that quantized models become integer steps: which, and that results stay within a step of
// what the model says in numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "planner/graph/interpret.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Integers of the whole range, as they come.
TensorData noise(DType type, std::vector<uint32_t> dims, uint32_t seed) {
  const std::vector<float> numbers = floats_of(random_tensor(dims, seed).bytes);
  std::vector<int> elements;
  for (const float number : numbers) elements.push_back(static_cast<int>(number * 127));
  return integer_tensor(type, std::move(dims), elements);
}

// A model of quantized values: names of numbers, each by "<name>.s" and "<name>.z".
class Quantized {
 public:
  explicit Quantized(DType type = DType::kUint8) : type_(type), model_(13) {}

  ModelBuilder& model() { return model_; }

  Quantized& scale(const std::string& name, float scale, int zero) {
    model_.initializer(name + ".s", float_tensor({}, {scale}));
    model_.initializer(name + ".z", integer_tensor(type_, {}, {zero}));
    return *this;
  }
  // An input of integers, and the numbers `name`.
  Quantized& input(const std::string& name, const std::vector<std::string>& dims, float scale,
                   int zero) {
    this->scale(name, scale, zero);
    model_.input(name + ".q", dims, type_);
    model_.node("DequantizeLinear", {name + ".q", name + ".s", name + ".z"}, {name}, "d" + name);
    return *this;
  }
  // Weights of int8, with a scale for each index of `axis`, or one.
  Quantized& weights(const std::string& name, std::vector<uint32_t> dims,
                     const std::vector<float>& scales, int64_t axis = 0) {
    model_.initializer(name + ".q", noise(DType::kInt8, std::move(dims), 5));
    const auto count = static_cast<uint32_t>(scales.size());
    const std::vector<uint32_t> list =
        count == 1 ? std::vector<uint32_t>{} : std::vector<uint32_t>{count};
    model_.initializer(name + ".s", float_tensor(list, scales));
    model_.node("DequantizeLinear", {name + ".q", name + ".s"}, {name}, "d" + name);
    model_.with("axis", axis);
    return *this;
  }
  // The output: `number`, quantized.
  Quantized& output(const std::string& number, float scale, int zero) {
    this->scale("y", scale, zero);
    model_.node("QuantizeLinear", {number, "y.s", "y.z"}, {"y"}, "qy").output("y", type_);
    return *this;
  }

  // The operators once optimized. Of the integers of output 0, none may be further than `most` from
  // those of the model as it is.
  std::vector<Op> expect_close(const std::vector<TensorData>& inputs, int most = 1) {
    std::vector<std::vector<std::byte>> bytes;
    for (const TensorData& input : inputs) bytes.push_back(input.bytes);
    Graph graph = import_onnx(model_.bytes(), {});
    const std::vector<std::byte> plain = interpret(graph, bytes)[0];
    optimize(graph);
    const std::vector<std::byte> fused = interpret(graph, bytes)[0];
    EXPECT_EQ(plain.size(), fused.size());
    int worst = 0;
    for (size_t i = 0; i < plain.size(); ++i) {
      worst = std::max(worst, std::abs(number(plain[i]) - number(fused[i])));
    }
    EXPECT_LE(worst, most);
    std::vector<Op> ops;
    for (const Node& node : graph.nodes) ops.push_back(node.op);
    steps_ = graph.quantized_steps;
    return ops;
  }
  const std::optional<QuantizedSteps>& steps() const { return steps_; }

 private:
  int number(std::byte byte) const {
    return type_ == DType::kInt8 ? int{static_cast<int8_t>(byte)} : int{static_cast<uint8_t>(byte)};
  }

  DType type_;
  ModelBuilder model_;
  std::optional<QuantizedSteps> steps_;
};

TEST(FuseProduct, ConvolutionsWithTheirBiasAndClip) {
  for (const DType type : {DType::kUint8, DType::kInt8}) {
    for (const bool has_bias : {false, true}) {
      Quantized quantized(type);
      quantized.input("x", {"1", "2", "5", "5"}, 0.02f, type == DType::kInt8 ? -3 : 120);
      quantized.weights("w", {3, 2, 3, 3}, {0.01f, 0.02f, 0.005f});
      std::vector<std::string> operands = {"x", "w"};
      if (has_bias) {
        quantized.model().initializer("b", float_tensor({3}, {0.5f, -0.25f, 0.1f}));
        operands.emplace_back("b");
      }
      quantized.model().node("Conv", operands, {"c"}, "conv").with_ints("pads", {1, 1, 1, 1});
      quantized.model().node("Relu", {"c"}, {"r"}, "relu");
      quantized.output("r", 0.03f, type == DType::kInt8 ? -128 : 0);
      EXPECT_THAT(quantized.expect_close({noise(type, {1, 2, 5, 5}, 1)}),
                  ElementsAre(Op::kQuantizedConv));
      EXPECT_EQ(quantized.steps()->floats, 0u);
      EXPECT_EQ(quantized.steps()->integers, 1u);
    }
  }
}

TEST(FuseProduct, TransposedConvolutionsKeepTheZeroPoint) {
  Quantized quantized;
  quantized.input("x", {"1", "2", "4", "4"}, 0.02f, 100);
  quantized.weights("w", {2, 3, 2, 2}, {0.01f});
  quantized.model().node("ConvTranspose", {"x", "w"}, {"c"}, "up").with_ints("strides", {2, 2});
  quantized.output("c", 0.02f, 128);
  const std::vector<Op> ops = quantized.expect_close({noise(DType::kUint8, {1, 2, 4, 4}, 1)});
  EXPECT_EQ(std::count(ops.begin(), ops.end(), Op::kQuantizedConvTranspose), 1);
  EXPECT_EQ(quantized.steps()->floats, 0u);
}

TEST(FuseProduct, MatricesWithScalesOfColumns) {
  Quantized quantized(DType::kInt8);
  quantized.input("x", {"3", "4"}, 0.02f, 7).weights("w", {4, 2}, {0.01f, 0.03f}, 1);
  quantized.model().node("MatMul", {"x", "w"}, {"m"}, "product");
  quantized.output("m", 0.02f, 3);
  EXPECT_THAT(quantized.expect_close({noise(DType::kInt8, {3, 4}, 1)}),
              ElementsAre(Op::kQuantizedMatMul));
}

TEST(FuseProduct, GemmTransposesItsWeightsAndScalesItsBias) {
  Quantized quantized(DType::kInt8);
  quantized.input("x", {"3", "4"}, 0.02f, 7).weights("w", {2, 4}, {0.01f, 0.03f}, 0);
  quantized.model().initializer("b", float_tensor({2}, {0.5f, -1.0f}));
  quantized.model().node("Gemm", {"x", "w", "b"}, {"m"}, "gemm").with("transB", 1);
  quantized.model().with("alpha", 0.5f).with("beta", 2.0f);
  quantized.output("m", 0.02f, 3);
  EXPECT_THAT(quantized.expect_close({noise(DType::kInt8, {3, 4}, 1)}),
              ElementsAre(Op::kQuantizedMatMul));
}

TEST(FuseProduct, OfTwoValues) {
  Quantized quantized;
  quantized.input("a", {"2", "3", "4"}, 0.02f, 100).input("b", {"2", "4", "3"}, 0.01f, 90);
  quantized.model().node("MatMul", {"a", "b"}, {"m"}, "product");
  quantized.output("m", 0.03f, 110);
  EXPECT_THAT(quantized.expect_close(
                  {noise(DType::kUint8, {2, 3, 4}, 1), noise(DType::kUint8, {2, 4, 3}, 2)}),
              ElementsAre(Op::kQuantizedMatMul));
}

// Nobody quantizes the result: integer sums are dequantized.
TEST(FuseProduct, SumsGoOnAsNumbers) {
  ModelBuilder model(13);
  model.input("x", {"1", "8"}, DType::kInt8).output("y");
  model.initializer("s", float_tensor({}, {0.02f}))
      .initializer("w", noise(DType::kInt8, {8, 3}, 5));
  model.initializer("ws", float_tensor({3}, {0.01f, 0.02f, 0.03f}));
  model.node("DequantizeLinear", {"x", "s"}, {"dx"});
  model.node("DequantizeLinear", {"w", "ws"}, {"dw"}).with("axis", 1);
  model.node("MatMul", {"dx", "dw"}, {"y"});
  run_model(model, {noise(DType::kInt8, {1, 8}, 1)});
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  ASSERT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(graph.nodes[0].op, Op::kQuantizedMatMul);
  EXPECT_EQ(graph.nodes[1].op, Op::kDequantize);
}

// Two products of the least int16 are 2^31.
TEST(FuseProduct, SumsOf32BitsAreNotExceeded) {
  ModelBuilder model(21);
  model.input("a", {"1", "2"}, DType::kInt16).input("b", {"2", "1"}, DType::kInt16).output("y");
  model.initializer("s", float_tensor({}, {0.5f}));
  model.node("DequantizeLinear", {"a", "s"}, {"da"}).node("DequantizeLinear", {"b", "s"}, {"db"});
  model.node("MatMul", {"da", "db"}, {"y"});
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  const std::vector<int> least = {-32768, -32768};
  const std::vector<std::byte> result =
      interpret(graph, std::vector{integer_tensor(DType::kInt16, {1, 2}, least).bytes,
                                   integer_tensor(DType::kInt16, {2, 1}, least).bytes})[0];
  EXPECT_THAT(floats_of(result), ElementsAre(536870912.0f));
  EXPECT_EQ(graph.nodes.back().op, Op::kMatMul);
}

TEST(FusePair, SumsDifferencesAndProducts) {
  for (const auto& [name, op] : std::vector<std::pair<std::string, Op>>{
           {"Add", Op::kQuantizedAdd}, {"Sub", Op::kQuantizedAdd}, {"Mul", Op::kQuantizedMul}}) {
    Quantized quantized;
    quantized.input("a", {"2", "3"}, 0.02f, 100).input("b", {"3"}, 0.05f, 90);
    quantized.model().node(name, {"a", "b"}, {"m"}, "pair");
    quantized.output("m", 0.04f, 110);
    EXPECT_THAT(
        quantized.expect_close({noise(DType::kUint8, {2, 3}, 1), noise(DType::kUint8, {3}, 2)}),
        ElementsAre(op))
        << name;
  }
}

TEST(FuseMean, OverAxesAndWindows) {
  Quantized pooled;
  pooled.input("x", {"1", "2", "4", "4"}, 0.02f, 100);
  pooled.model().node("AveragePool", {"x"}, {"p"}, "pool").with_ints("kernel_shape", {2, 2});
  pooled.model().node("GlobalAveragePool", {"p"}, {"g"}, "mean");
  pooled.output("g", 0.01f, 110);
  EXPECT_EQ(pooled.expect_close({noise(DType::kUint8, {1, 2, 4, 4}, 1)}).back(), Op::kQuantize);
  EXPECT_THAT(pooled.steps()->reasons, ElementsAre(HasSubstr("average_pool"), HasSubstr("mean")));

  Quantized mean;
  mean.input("x", {"1", "2", "4", "4"}, 0.02f, 100);
  mean.model().node("GlobalAveragePool", {"x"}, {"g"}, "mean");
  mean.output("g", 0.01f, 110);
  EXPECT_THAT(mean.expect_close({noise(DType::kUint8, {1, 2, 4, 4}, 1)}),
              ElementsAre(Op::kQuantizedSum));

  Quantized pool;
  pool.input("x", {"1", "2", "4", "4"}, 0.02f, 100);
  pool.model().node("AveragePool", {"x"}, {"g"}, "pool").with_ints("kernel_shape", {3, 2});
  pool.output("g", 0.01f, 110);
  EXPECT_THAT(pool.expect_close({noise(DType::kUint8, {1, 2, 4, 4}, 1)}),
              ElementsAre(Op::kQuantizedAveragePool));
}

TEST(FuseMean, SumsOf32BitsAreNotExceeded) {
  for (const char* elements : {"65535", "65536"}) {
    ModelBuilder model(21);
    model.input("x", {"1", elements}, DType::kInt16).output("y", DType::kInt16);
    model.initializer("s", float_tensor({}, {0.5f})).initializer("axes", int64_tensor({1}, {1}));
    model.initializer("z", integer_tensor(DType::kInt16, {}, {0}));
    model.node("DequantizeLinear", {"x", "s"}, {"d"}).node("ReduceMean", {"d", "axes"}, {"m"});
    model.node("QuantizeLinear", {"m", "s", "z"}, {"y"});
    Graph graph = import_onnx(model.bytes(), {});
    optimize(graph);
    const bool fits = std::string(elements) == "65535";
    EXPECT_EQ(graph.nodes.size(), fits ? 1u : 3u);
    EXPECT_EQ(graph.quantized_steps->floats, fits ? 0u : 1u);
  }
}

TEST(FuseSoftmax, OfBytes) {
  Quantized quantized;
  quantized.input("x", {"2", "7"}, 0.05f, 100);
  quantized.model().node("Softmax", {"x"}, {"s"}, "softmax").with("axis", 1);
  quantized.output("s", 1.0f / 256, 0);
  EXPECT_THAT(quantized.expect_close({noise(DType::kUint8, {2, 7}, 1)}),
              ElementsAre(Op::kQuantizedSoftmax));
}

// However it is written, and with the very bits of the numbers.
TEST(FuseFunction, ChainsBecomeATable) {
  Quantized quantized(DType::kInt8);
  quantized.input("x", {"3", "50"}, 0.05f, 11);
  ModelBuilder& model = quantized.model();
  model.initializer("half", float_tensor({1}, {0.5f})).initializer("two", float_tensor({}, {2}));
  model.node("Sigmoid", {"x"}, {"s"}).node("Mul", {"x", "s"}, {"m"}).node("Tanh", {"m"}, {"t"});
  model.node("Add", {"t", "half"}, {"a"}).node("Div", {"a", "two"}, {"d"});
  model.node("LeakyRelu", {"d"}, {"l"});
  quantized.output("l", 0.01f, -5);
  EXPECT_THAT(quantized.expect_close({noise(DType::kInt8, {3, 50}, 1)}, 0),
              ElementsAre(Op::kLookup));
}

// A model that quantizes what lies between as well has the bits of its steps.
TEST(FuseFunction, SwishesInTwoStepsBecomeATable) {
  for (const char* function : {"Sigmoid", "HardSigmoid"}) {
    Quantized quantized(DType::kInt8);
    quantized.input("x", {"3", "50"}, 0.05f, 11).scale("s", 1.0f / 256, -128);
    ModelBuilder& model = quantized.model();
    model.node(function, {"x"}, {"f"}, "function");
    model.node("QuantizeLinear", {"f", "s.s", "s.z"}, {"q"}, "qs");
    model.node("DequantizeLinear", {"q", "s.s", "s.z"}, {"d"}, "ds");
    model.node("Mul", {"x", "d"}, {"m"}, "product");
    quantized.output("m", 0.02f, -30);
    EXPECT_THAT(quantized.expect_close({noise(DType::kInt8, {3, 50}, 1)}),
                ElementsAre(Op::kLookup));
    EXPECT_EQ(quantized.steps()->integers, 1u);
  }
}

TEST(FuseFunction, OtherScalesAreATable) {
  Quantized quantized;
  quantized.input("a", {"2", "3"}, 0.02f, 100).input("b", {"2", "3"}, 0.05f, 90);
  quantized.model().node("Concat", {"a", "b"}, {"c"}, "concat").with("axis", 1);
  quantized.output("c", 0.05f, 90);
  EXPECT_THAT(
      quantized.expect_close({noise(DType::kUint8, {2, 3}, 1), noise(DType::kUint8, {2, 3}, 2)}, 0),
      ElementsAre(Op::kLookup, Op::kConcat));
}

TEST(FuseChannelFactors, BatchNormalizationIsAConvolution) {
  Quantized quantized(DType::kInt8);
  quantized.input("x", {"1", "2", "3", "3"}, 0.05f, 11);
  ModelBuilder& model = quantized.model();
  model.initializer("g", float_tensor({2}, {0.7f, -1.3f}));
  model.initializer("b", float_tensor({2}, {0.4f, 0.0f}));
  model.initializer("m", float_tensor({2}, {0.1f, -2.0f}));
  model.initializer("v", float_tensor({2}, {0.9f, 1.5f}));
  model.node("BatchNormalization", {"x", "g", "b", "m", "v"}, {"n"}, "norm");
  quantized.output("n", 0.06f, 3);
  EXPECT_THAT(quantized.expect_close({noise(DType::kInt8, {1, 2, 3, 3}, 1)}),
              ElementsAre(Op::kQuantizedConv));
}

TEST(FuseQuantization, WhatStaysIsNamed) {
  Quantized quantized;
  quantized.input("x", {"2", "7"}, 0.05f, 100);
  quantized.model().node("CumSum", {"x", "axis"}, {"c"}, "sum");
  quantized.model().initializer("axis", int64_tensor({}, {1}));
  quantized.output("c", 0.1f, 0);
  quantized.expect_close({noise(DType::kUint8, {2, 7}, 1)}, 0);
  EXPECT_EQ(quantized.steps()->floats, 1u);
  EXPECT_THAT(quantized.steps()->reasons,
              ElementsAre("1 cum_sum: no integer operator does it (sum)"));
}

// Nodes that other passes fuse are counted as what they have become.
TEST(FuseQuantization, StepsAreCountedOnceOptimized) {
  Quantized quantized(DType::kInt8);
  quantized.input("x", {"2", "8"}, 0.05f, 3);
  ModelBuilder& model = quantized.model();
  model.initializer("two", float_tensor({}, {2})).initializer("e", float_tensor({}, {1e-5f}));
  model.node("ReduceMean", {"x"}, {"mean"}, "mean").with_ints("axes", {-1});
  model.node("Sub", {"x", "mean"}, {"d"}, "centered").node("Pow", {"d", "two"}, {"p"}, "squares");
  model.node("ReduceMean", {"p"}, {"v"}, "variance").with_ints("axes", {-1});
  model.node("Add", {"v", "e"}, {"a"}, "above").node("Sqrt", {"a"}, {"s"}, "root");
  model.node("Div", {"d", "s"}, {"n"}, "norm");
  quantized.output("n", 0.02f, -1);
  quantized.expect_close({noise(DType::kInt8, {2, 8}, 1)});
  EXPECT_THAT(quantized.steps()->reasons,
              ElementsAre(HasSubstr("1 normalize: no integer operator does it")));
}

TEST(FuseQuantization, QLinearOperatorsAreIntegers) {
  ModelBuilder model(13);
  model.input("x", {"1", "2", "4", "4"}, DType::kUint8).output("y", DType::kUint8);
  const auto scale = [&](const std::string& name, float number, uint8_t zero) {
    model.initializer(name + "s", float_tensor({}, {number}));
    model.initializer(name + "z", integer_tensor(DType::kUint8, {}, {zero}));
  };
  scale("x", 0.02f, 100);
  scale("w", 0.01f, 128);
  scale("c", 0.03f, 90);
  scale("y", 0.05f, 80);
  model.initializer("w", noise(DType::kUint8, {2, 2, 3, 3}, 4));
  model.initializer("b", integer_tensor(DType::kInt32, {2}, {1000, -2000}));
  model.node("QLinearConv", {"x", "xs", "xz", "w", "ws", "wz", "cs", "cz", "b"}, {"c"}, "conv");
  model.with_ints("pads", {1, 1, 1, 1});
  model.node("QLinearAdd", {"c", "cs", "cz", "x", "xs", "xz", "ys", "yz"}, {"a"}, "add");
  model.domain("com.microsoft");
  model.node("QLinearSigmoid", {"a", "ys", "yz", "ys", "yz"}, {"s"}, "s").domain("com.microsoft");
  model.node("QLinearConcat", {"xs", "xz", "s", "ys", "yz", "x", "xs", "xz"}, {"y"}, "concat");
  model.with("axis", 1).domain("com.microsoft");
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  std::vector<Op> ops;
  for (const Node& node : graph.nodes) ops.push_back(node.op);
  // The sigmoid, and its other scale in the concatenation, are one table.
  EXPECT_THAT(ops, ElementsAre(Op::kQuantizedConv, Op::kQuantizedAdd, Op::kLookup, Op::kConcat));
  EXPECT_THAT(graph.quantized_steps->reasons, IsEmpty());
  // Weights of uint8 are int8, moved with their zero point.
  const Node& conv = graph.nodes[0];
  EXPECT_EQ(graph.values[conv.inputs[1]].dtype, DType::kInt8);
  EXPECT_EQ(conv.attributes_as<QuantizedConvAttributes>().w_zero_point, 0);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

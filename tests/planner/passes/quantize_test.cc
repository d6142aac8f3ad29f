// Tests how quantized models are read and put on integers: scales in every form, damaged ones, and
// what moves, cancels and is computed while planning.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "planner/passes/passes.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::HasSubstr;

TensorData int8s(std::vector<uint32_t> dims, const std::vector<int>& elements) {
  return integer_tensor(DType::kInt8, std::move(dims), elements);
}

TensorData uint8s(std::vector<uint32_t> dims, const std::vector<int>& elements) {
  return integer_tensor(DType::kUint8, std::move(dims), elements);
}

TensorData int32s(std::vector<uint32_t> dims, const std::vector<int>& elements) {
  return integer_tensor(DType::kInt32, std::move(dims), elements);
}

// Nodes "q<name>" and "d<name>", which quantize `x` and give what it stands for then.
ModelBuilder& add_pair(ModelBuilder& model, const std::string& x, const std::string& name,
                       float scale, uint8_t zero) {
  model.initializer(name + ".s", float_tensor({}, {scale}));
  model.initializer(name + ".z", uint8s({}, {zero}));
  model.node("QuantizeLinear", {x, name + ".s", name + ".z"}, {"q" + name});
  return model.node("DequantizeLinear", {"q" + name, name + ".s", name + ".z"}, {"d" + name});
}

std::string error_of(const TensorData& scale, const TensorData& zero, int64_t axis = 1) {
  ModelBuilder model(13);
  model.input("x", {"2", "3"}).output("y", zero.dtype);
  model.initializer("s", scale).initializer("z", zero);
  model.node("QuantizeLinear", {"x", "s", "z"}, {"y"}, "q").with("axis", axis);
  return import_error(model);
}

TEST(QuantizeLinear, RefusesScalesThatMeanNothing) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float scale : {0.0f, -1.0f, infinity, std::nanf("")}) {
    EXPECT_THAT(error_of(float_tensor({}, {scale}), int8s({}, {0})), HasSubstr("scale 's' holds"));
    EXPECT_THAT(error_of(float_tensor({3}, {1, scale, 1}), int8s({3}, {0, 0, 0})),
                HasSubstr("at 1, expected positive finite numbers"));
  }
}

TEST(QuantizeLinear, RefusesCountsThatDisagree) {
  EXPECT_EQ(error_of(float_tensor({3}, {1, 1, 1}), int8s({3}, {0, 0, 0})), "");
  EXPECT_EQ(error_of(float_tensor({1}, {1}), int8s({}, {0})), "");
  EXPECT_THAT(error_of(float_tensor({2}, {1, 1}), int8s({2}, {0, 0})),
              HasSubstr("expected a single number or [3], one for each index of axis 1 of [2, 3]"));
  EXPECT_THAT(error_of(float_tensor({3}, {1, 1, 1}), int8s({2}, {0, 0})),
              HasSubstr("zero point 'z' has dims [2], the scale [3]"));
  EXPECT_THAT(error_of(float_tensor({3}, {1, 1, 1}), int8s({3}, {0, 0, 0}), 2), HasSubstr("axis"));
  EXPECT_THAT(error_of(float_tensor({1, 3}, {1, 1, 1}), int8s({1, 3}, {0, 0, 0})),
              HasSubstr("has dims [1, 3]"));
}

TEST(DequantizeLinear, RefusesAZeroPointOfAnotherType) {
  ModelBuilder model(13);
  model.input("x", {"2"}, DType::kInt8).output("y").initializer("s", float_tensor({}, {1}));
  model.initializer("z", uint8s({}, {0})).node("DequantizeLinear", {"x", "s", "z"}, {"y"});
  EXPECT_THAT(import_error(model), HasSubstr("zero point 'z' is uint8, but 'x' int8"));
}

TEST(QuantizeLinear, TypeIsTheZeroPointsOrSaid) {
  const auto type_of = [](int64_t opset, int64_t said) {
    ModelBuilder model(opset);
    model.input("x", {"2"}).output("y", static_cast<DType>(said == 0 ? 2 : said));
    model.initializer("s", float_tensor({}, {1})).node("QuantizeLinear", {"x", "s"}, {"y"});
    if (said != 0) model.with("output_dtype", said);
    return import_error(model);
  };
  EXPECT_EQ(type_of(10, 0), "");
  EXPECT_EQ(type_of(21, 0), "");
  for (const int64_t type : {2, 3, 4, 5}) EXPECT_EQ(type_of(21, type), "") << type;
  EXPECT_NE(type_of(21, 17), "");
  EXPECT_NE(type_of(13, 3), "");
}

TEST(DequantizeLinear, OneScaleForEachBlock) {
  ModelBuilder model(21);
  model.input("x", {"2", "5"}, DType::kInt8).output("y");
  model.initializer("s", float_tensor({2, 3}, {1, 2, 3, 10, 20, 30}));
  model.initializer("z", int8s({2, 3}, {0, 1, 0, 0, 0, 1}));
  model.node("DequantizeLinear", {"x", "s", "z"}, {"y"}).with("axis", 1).with("block_size", 2);
  const TensorData x = int8s({2, 5}, {1, 2, 3, 4, 5, 1, 2, 3, 4, 5});
  EXPECT_EQ(run_floats(model, {x}), (std::vector<float>{1, 2, 4, 6, 15, 10, 20, 60, 80, 120}));
}

TEST(FoldConstants, WeightsAreWhatTheirIntegersStandFor) {
  ModelBuilder model(13);
  model.input("x", {"1", "2"}).output("y");
  model.initializer("w", int8s({3, 2}, {1, 2, 3, 4, 5, 6}));
  model.initializer("s", float_tensor({3}, {1, 10, 100})).initializer("z", int8s({3}, {0, 0, 1}));
  model.node("DequantizeLinear", {"w", "s", "z"}, {"d"}).with("axis", 0);
  model.node("Identity", {"d"}, {"e"}).node("Transpose", {"e"}, {"t"});
  model.node("MatMul", {"x", "t"}, {"y"});
  EXPECT_EQ(run_floats(model, {float_tensor({1, 2}, {1, 1})}), (std::vector<float>{3, 70, 900}));
  for (const std::vector<std::string>& disabled :
       std::vector<std::vector<std::string>>{{}, {"fuse_quantization"}}) {
    const Graph graph = optimized(model, disabled);
    ASSERT_EQ(graph.nodes.size(), 1u);
    EXPECT_EQ(graph.nodes[0].op, Op::kMatMul);
  }
}

TEST(FoldConstants, AnOutputStaysOne) {
  ModelBuilder model(13);
  model.input("x", {"2"}).output("y").output("v");
  model.initializer("w", int8s({2}, {1, 2})).initializer("s", float_tensor({}, {0.5f}));
  model.node("DequantizeLinear", {"w", "s"}, {"y"}).node("Add", {"x", "y"}, {"v"});
  run_model(model, {float_tensor({2}, {1, 1})});
  const Graph graph = optimized(model);
  EXPECT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(count_ops(graph, Op::kCopy), 1u);
}

TEST(FuseQuantization, IntegersMoveInPlaceOfNumbers) {
  ModelBuilder model(13);
  model.input("x", {"1", "2", "4", "4"}).output("y");
  add_pair(model, "x", "a", 0.02f, 3);
  model.initializer("pads", int64_tensor({8}, {0, 0, 1, 1, 0, 0, 1, 1}));
  model.node("Pad", {"da", "pads"}, {"p"});
  model.node("MaxPool", {"p"}, {"m"}).with_ints("kernel_shape", {2, 2});
  add_pair(model, "m", "b", 0.02f, 3);
  model.node("Transpose", {"db"}, {"t"}).with_ints("perm", {0, 2, 3, 1});
  model.initializer("shape", int64_tensor({2}, {1, 50}));
  model.node("Reshape", {"t", "shape"}, {"r"});
  model.node("Concat", {"r", "r"}, {"c"}).with("axis", 1);
  add_pair(model, "c", "c", 0.02f, 3).node("Identity", {"dc"}, {"y"});
  run_model(model, {random_tensor({1, 2, 4, 4}, 3)});
  const Graph graph = optimized(model);
  EXPECT_EQ(count_ops(graph, Op::kQuantize), 1u);
  EXPECT_EQ(count_ops(graph, Op::kDequantize), 1u);
  EXPECT_EQ(graph.nodes.front().op, Op::kQuantize);
  EXPECT_EQ(graph.nodes.back().op, Op::kDequantize);
}

// A border that is no integer's number is put on before.
TEST(FuseQuantization, BordersThatNoIntegerStandsForAreNumbers) {
  ModelBuilder model(13);
  model.input("x", {"3"}, DType::kUint8).output("y");
  model.initializer("s", float_tensor({}, {0.25f})).initializer("pads", int64_tensor({2}, {1, 1}));
  model.initializer("v", float_tensor({}, {0.3f}));
  model.node("DequantizeLinear", {"x", "s"}, {"d"}).node("Pad", {"d", "pads", "v"}, {"y"});
  run_model(model, {uint8s({3}, {1, 2, 3})});
  EXPECT_EQ(optimized(model).nodes.front().op, Op::kDequantize);
}

TEST(FuseQuantization, ScalesOfAnAxisMoveWithIt) {
  ModelBuilder model(13);
  model.input("x", {"2", "3", "1"}, DType::kInt8).output("y");
  model.initializer("s", float_tensor({3}, {1, 2, 4})).initializer("z", int8s({3}, {0, 1, 2}));
  model.initializer("shape", int64_tensor({2}, {3, 2}));
  model.node("DequantizeLinear", {"x", "s", "z"}, {"d"}).with("axis", 1);
  model.node("Transpose", {"d"}, {"t"}).with_ints("perm", {2, 1, 0});
  model.node("Reshape", {"t", "shape"}, {"y"});
  const TensorData x = int8s({2, 3, 1}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(run_floats(model, {x}), (std::vector<float>{1, 4, 2, 8, 4, 16}));
  EXPECT_EQ(optimized(model).nodes.back().op, Op::kDequantize);
}

TEST(FuseQuantization, BiasesOf32BitsAreRead) {
  ModelBuilder model(13);
  model.input("x", {"3"}).output("y").initializer("b", int32s({3}, {1, -70000, 3}));
  model.initializer("s", float_tensor({3}, {0.5f, 1, 2})).initializer("z", int32s({3}, {0, 0, 0}));
  model.node("DequantizeLinear", {"b", "s", "z"}, {"d"}).with("axis", 0);
  model.node("Add", {"x", "d"}, {"y"});
  EXPECT_EQ(run_floats(model, {float_tensor({3}, {0, 0, 0})}),
            (std::vector<float>{0.5f, -70000, 6}));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Tests of integer models made of models of floats: what becomes integers, and how near the results
// are.
#include "planner/quantizer/quantizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "planner/graph/interpret.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/model_builder.h"

namespace arenite::planner {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Sample> samples_of(const std::vector<uint32_t>& dims, uint32_t count) {
  std::vector<Sample> samples;
  for (uint32_t seed = 1; seed <= count; ++seed)
    samples.push_back({random_tensor(dims, seed).bytes});
  return samples;
}

QuantizedModel quantized(const ModelBuilder& model, const std::vector<uint32_t>& dims,
                         const QuantizerOptions& options = {}) {
  return quantize_onnx(model.bytes(), {}, samples_of(dims, 16), options, {});
}

uint32_t count_of(const QuantizedModel& model, const char* op) {
  const auto operators = model_operators(model.file);
  const auto found = operators.find(op);
  return found == operators.end() ? 0 : found->second;
}

// Convolution, normalization, relu, pool, product: with weights of very different channels.
void add_network(ModelBuilder& model) {
  TensorData weights = random_tensor({6, 3, 3, 3}, 7);
  for (size_t i = 0; i < 27; ++i) {
    float element;
    std::memcpy(&element, weights.bytes.data() + i * 4, 4);
    element *= 100;
    std::memcpy(weights.bytes.data() + i * 4, &element, 4);
  }
  model.input("x", {"1", "3", "8", "8"})
      .initializer("w", weights)
      .initializer("scale", float_tensor({6}, {0.01f, 1, 2, 1, 0.5f, 1}))
      .initializer("shift", random_tensor({6}, 3))
      .initializer("mean", random_tensor({6}, 4))
      .initializer("variance", float_tensor({6}, {1, 2, 1, 0.5f, 1, 3}))
      .initializer("u", random_tensor({6, 4}, 5))
      .initializer("b", random_tensor({4}, 6))
      .node("Conv", {"x", "w"}, {"c"}, "conv")
      .with_ints("pads", {1, 1, 1, 1})
      .node("BatchNormalization", {"c", "scale", "shift", "mean", "variance"}, {"n"}, "norm")
      .node("Relu", {"n"}, {"r"}, "relu")
      .node("MaxPool", {"r"}, {"p"}, "pool")
      .with_ints("kernel_shape", {2, 2})
      .with_ints("strides", {2, 2})
      .node("GlobalAveragePool", {"p"}, {"g"}, "mean_of_all")
      .node("Flatten", {"g"}, {"f"}, "flatten")
      .node("Gemm", {"f", "u", "b"}, {"y"}, "product")
      .output("y");
}

TEST(Quantizer, KeepsResultsOfANetwork) {
  for (const int64_t opset : {11, 13, 20}) {
    ModelBuilder model(opset);
    add_network(model);
    const QuantizedModel result = quantized(model, {1, 3, 8, 8});
    // The normalization is part of the convolution, the relu ends it; all others compute with
    // integers.
    EXPECT_EQ(count_of(result, "BatchNormalization"), 0u);
    EXPECT_TRUE(result.float_nodes.empty()) << result.float_nodes[0];
    ASSERT_EQ(result.outputs.size(), 1u);
    EXPECT_GT(result.outputs[0].sqnr_db, 25);
    EXPECT_EQ(result.outputs[0].samples, 16u);
    EXPECT_GE(result.outputs[0].same_top, 15u);
  }
}

TEST(Quantizer, SharesTheScaleOfWhatIsMovedAndJoined) {
  ModelBuilder model(13);
  model.input("x", {"1", "2", "6", "6"})
      .initializer("w", random_tensor({2, 2, 1, 1}, 1))
      .initializer("v", float_tensor({2, 2, 1, 1}, {9, 9, -9, 9}))
      .node("Conv", {"x", "w"}, {"a"}, "a")
      .node("Conv", {"x", "v"}, {"b"}, "b")
      .node("Concat", {"a", "b"}, {"c"}, "c")
      .with("axis", 1)
      .node("MaxPool", {"c"}, {"y"}, "pool")
      .with_ints("kernel_shape", {2, 2})
      .output("y");
  const QuantizedModel result = quantized(model, {1, 2, 6, 6});
  double scale = 0;
  for (const TensorCost& tensor : result.tensors) {
    if (tensor.node == "input") continue;
    if (scale == 0) scale = tensor.scale;
    EXPECT_EQ(tensor.scale, scale) << tensor.name;
  }
  EXPECT_EQ(result.tensors.size(), 5u);
}

TEST(Quantizer, LeavesWideFunctionsToFloats) {
  ModelBuilder model(13);
  model.input("x", {"4", "8"})
      .initializer("w", random_tensor({8, 8}, 1))
      .initializer("two", float_tensor({}, {2}))
      .initializer("epsilon", float_tensor({}, {1e-6f}))
      .node("MatMul", {"x", "w"}, {"m"}, "m")
      .node("Pow", {"m", "two"}, {"p"}, "pow")
      .node("ReduceMean", {"p"}, {"mean"}, "mean")
      .with_ints("axes", {1})
      .node("Add", {"mean", "epsilon"}, {"e"}, "add")
      .node("Sqrt", {"e"}, {"s"}, "root")
      .node("Div", {"m", "s"}, {"y"}, "div")
      .output("y");
  const QuantizedModel result = quantized(model, {4, 8});
  EXPECT_EQ(result.integer_nodes, 1u);
  EXPECT_EQ(result.float_nodes.size(), 5u);
  EXPECT_GT(result.outputs[0].sqnr_db, 25);
}

TEST(Quantizer, DividesByAConstantWithIntegers) {
  ModelBuilder model(13);
  model.input("x", {"4", "8"})
      .initializer("w", random_tensor({8, 6}, 1))
      .initializer("v", random_tensor({6, 5}, 2))
      .initializer("root", float_tensor({}, {2.8f}))
      .node("MatMul", {"x", "w"}, {"m"}, "m")
      .node("Div", {"m", "root"}, {"d"}, "scaled")
      .node("Softmax", {"d"}, {"s"}, "softmax")
      .node("MatMul", {"s", "v"}, {"y"}, "y")
      .output("y");
  const QuantizedModel result = quantized(model, {4, 8});
  EXPECT_THAT(result.float_nodes, IsEmpty());
  EXPECT_GT(result.outputs[0].sqnr_db, 25);
  Graph graph = import_onnx(result.file, {});
  optimize(graph);
  EXPECT_EQ(graph.quantized_steps->floats, 0u);
}

TEST(Quantizer, CorrectsTheMeanErrorOfWeights) {
  // Weights between integers, all rounded the same way, over inputs that are above 0.
  ModelBuilder model(13);
  std::vector<float> weights(64, 0.404f);
  weights[0] = 100.0f / 127 * 127;
  model.input("x", {"1", "64"})
      .initializer("w", float_tensor({64, 1}, weights))
      .initializer("b", float_tensor({1}, {0.5f}))
      .node("Relu", {"x"}, {"r"}, "relu")
      .node("Gemm", {"r", "w", "b"}, {"y"}, "product")
      .output("y");
  QuantizerOptions off;
  off.bias_correction = false;
  const double with = quantized(model, {1, 64}).outputs[0].max_error;
  const double without = quantized(model, {1, 64}, off).outputs[0].max_error;
  EXPECT_LT(with, without);
}

TEST(Quantizer, HoldsLargeBiases) {
  ModelBuilder model(13);
  model.input("x", {"1", "4"})
      .initializer("w", float_tensor({4, 2}, {1e-9f, 1, 0, 1, 0, 1, 0, 1}))
      .initializer("b", float_tensor({2}, {1e6f, 0}))
      .node("Gemm", {"x", "w", "b"}, {"y"}, "product")
      .output("y");
  const QuantizedModel result = quantized(model, {1, 4});
  EXPECT_LT(result.outputs[0].max_error, 1e6 / 255);
}

TEST(Quantizer, LeavesInfinitiesToFloats) {
  ModelBuilder model(13);
  const float infinity = __builtin_inff();
  model.input("x", {"4", "8"})
      .initializer("w", random_tensor({8, 4}, 1))
      .initializer("v", random_tensor({4, 4}, 2))
      .initializer("mask", float_tensor({4}, {0, 0, -infinity, 0}))
      .node("MatMul", {"x", "w"}, {"m"}, "m")
      .node("Add", {"m", "mask"}, {"a"}, "masked")
      .node("Softmax", {"a"}, {"s"}, "softmax")
      .node("MatMul", {"s", "v"}, {"y"}, "y")
      .output("y");
  const QuantizedModel result = quantized(model, {4, 8});
  EXPECT_EQ(result.integer_nodes, 2u);
  EXPECT_EQ(result.float_nodes.size(), 2u);
  EXPECT_GT(result.outputs[0].sqnr_db, 25);
}

// A constant stays in the model, and a cut model ends where it was cut.
TEST(Quantizer, WritesFixedInputsAndOutputs) {
  ModelBuilder model(13);
  add_network(model);
  model.input("gain", {"k"});
  model.node("Mul", {"p", "gain"}, {"louder"}, "gained").node("Unheard", {"y"}, {"end"}, "u");
  model.output("end");
  ImportOptions options;
  const TensorData two = float_tensor({1}, {2});
  options.bound["gain"] = {two.dims, two.bytes};
  options.dims["k"] = 1;
  options.outputs = {"louder"};
  const QuantizedModel result =
      quantize_onnx(model.bytes(), options, samples_of({1, 3, 8, 8}, 16), {}, {});
  const Graph graph = import_onnx(result.file, {});
  ASSERT_EQ(graph.inputs.size(), 1u);
  EXPECT_EQ(graph.values[graph.inputs[0]].name, "x");
  ASSERT_EQ(graph.outputs.size(), 1u);
  EXPECT_EQ(graph.values[graph.outputs[0]].name, "louder");
  EXPECT_EQ(count_of(result, "Gemm"), 0u);
  EXPECT_GT(result.outputs.at(0).sqnr_db, 25);
}

TEST(Quantizer, RefusesWhatIsNoModelOfFloats) {
  ModelBuilder without(13);
  without.input("x", {"4"}).node("Relu", {"x"}, {"y"}).output("y");
  const auto refusal = [](const ModelBuilder& model, const std::vector<Sample>& samples) {
    try {
      quantize_onnx(model.bytes(), {}, samples, {}, {});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal(without, samples_of({4}, 2)), HasSubstr("nothing to quantize"));
  ModelBuilder model(13);
  add_network(model);
  const QuantizedModel once = quantized(model, {1, 3, 8, 8});
  try {
    quantize_onnx(once.file, {}, samples_of({1, 3, 8, 8}, 2), {}, {});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("is quantized already"));
  }
  std::vector<Sample> broken = samples_of({1, 3, 8, 8}, 1);
  const float infinity = __builtin_inff();
  std::memcpy(broken[0][0].data(), &infinity, sizeof infinity);
  EXPECT_THAT(refusal(model, broken), HasSubstr("input 'x' holds NaN or an infinity"));
  const float huge = 3e38f;
  for (size_t i = 0; i < broken[0][0].size(); i += 4) {
    std::memcpy(broken[0][0].data() + i, &huge, sizeof huge);
  }
  EXPECT_THAT(refusal(model, broken), HasSubstr("with these samples tensor 'n' holds NaN"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

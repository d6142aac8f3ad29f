// Tests of what quantized models take and give: numbers, or the integers that stand for them.
#include "planner/passes/integers/io_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "planner/graph/interpret.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/model_builder.h"

namespace arenite::planner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Bytes = std::vector<std::byte>;

TensorData int8_tensor(const std::vector<int8_t>& elements) {
  TensorData data = {DType::kInt8, {}, std::vector<std::byte>(elements.size())};
  std::memcpy(data.bytes.data(), elements.data(), elements.size());
  return data;
}

// A product of integers between a quantize and a dequantize node.
void add_product(ModelBuilder& model) {
  model.input("x", {"1", "2"})
      .initializer("scale", float_tensor({}, {0.5f}))
      .initializer("zero", int8_tensor({3}))
      .initializer("w", float_tensor({2, 2}, {1, 2, -1, 1}))
      .node("QuantizeLinear", {"x", "scale", "zero"}, {"q"})
      .node("DequantizeLinear", {"q", "scale", "zero"}, {"d"})
      .node("MatMul", {"d", "w"}, {"m"})
      .node("QuantizeLinear", {"m", "scale", "zero"}, {"r"})
      .node("DequantizeLinear", {"r", "scale", "zero"}, {"y"})
      .output("y");
}

Graph imported(const ModelBuilder& model) {
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  return graph;
}

TEST(IoType, NativeTakesAndGivesIntegers) {
  ModelBuilder model(13);
  add_product(model);
  Graph graph = imported(model);
  set_io_type(graph, IoType::kNative);
  const Value& x = graph.values[graph.inputs[0]];
  const Value& y = graph.values[graph.outputs[0]];
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(y.name, "y");
  EXPECT_EQ(x.dtype, DType::kInt8);
  EXPECT_EQ(y.dtype, DType::kInt8);
  ASSERT_TRUE(x.quantization && y.quantization);
  EXPECT_THAT(x.quantization->scales, ElementsAre(0.5f));
  EXPECT_THAT(x.quantization->zero_points, ElementsAre(3));
  EXPECT_TRUE(graph.notes.empty());
  // (2 - 3) / 2 and (7 - 3) / 2, times w: -2.5 and 1.
  const std::vector<Bytes> integers = {{std::byte{2}, std::byte{7}}};
  const std::vector<Bytes> outputs = interpret(graph, integers);
  EXPECT_EQ(static_cast<int8_t>(outputs[0][0]), -2);
  EXPECT_EQ(static_cast<int8_t>(outputs[0][1]), 5);
  // And back: numbers again, by nodes of the graph's own.
  set_io_type(graph, IoType::kFloat);
  EXPECT_EQ(graph.values[graph.inputs[0]].dtype, DType::kFloat32);
  EXPECT_EQ(graph.values[graph.inputs[0]].name, "x");
  EXPECT_EQ(graph.values[graph.outputs[0]].name, "y");
  const std::vector<Bytes> numbers = {float_tensor({1, 2}, {-0.5f, 2}).bytes};
  EXPECT_THAT(floats_of(interpret(graph, numbers)[0]), ElementsAre(-2.5f, 1.0f));
}

TEST(IoType, WhatIsNoQuantizedNumberStaysAndIsNoted) {
  ModelBuilder model(13);
  add_product(model);
  model.node("Relu", {"x"}, {"z"}).output("z");
  Graph graph = imported(model);
  set_io_type(graph, IoType::kNative);
  EXPECT_EQ(graph.values[graph.inputs[0]].dtype, DType::kFloat32);
  EXPECT_EQ(graph.values[graph.outputs[0]].dtype, DType::kInt8);
  EXPECT_EQ(graph.values[graph.outputs[1]].dtype, DType::kFloat32);
  EXPECT_THAT(graph.notes, ElementsAre(HasSubstr("input 'x' stays float32: several nodes read it"),
                                       HasSubstr("output 'z' stays float32: clip makes it")));
}

TEST(IoType, OfTheModelChangesNothing) {
  ModelBuilder model(13);
  add_product(model);
  Graph graph = imported(model);
  const size_t nodes = graph.nodes.size();
  set_io_type(graph, IoType::kModel);
  set_io_type(graph, IoType::kFloat);
  EXPECT_EQ(graph.nodes.size(), nodes);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

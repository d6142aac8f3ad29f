// Tests that integer products add the very integers that a model stores for their bias, whatever
// passes do between importing and fusing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "planner/graph/eval.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAreArray;

constexpr int32_t kConv2d = 3;

// A convolution of three channels to two, whose scales make units that single precision rounds.
TfliteBuilder convolution(tfl::TensorType type, const std::optional<TensorData>& stored) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {1, 2, 2, 3}, type);
  model.set_quantized(x, {{0.0123f}, {0}});
  const int32_t w =
      model.constant(integer_tensor(DType::kInt8, {2, 1, 1, 3}, {5, -7, 9, 2, 4, -6}));
  model.set_quantized(w, {{0.0217f, 0.0333f}, {0, 0}});
  std::vector<int32_t> inputs = {x, w};
  if (stored) {
    inputs.push_back(model.constant(*stored));
    model.set_quantized(inputs.back(), {{1.0f, 1.0f}, {0, 0}});
  }
  const int32_t y = model.tensor("y", {1, 2, 2, 2}, type);
  model.set_quantized(y, {{1000.0f}, {0}});
  model.op(kConv2d, inputs, {y}, tfl::BuiltinOptions_Conv2DOptions,
           made_by<tfl::CreateConv2DOptions>(tfl::Padding_VALID, 1, 1,
                                             tfl::ActivationFunctionType_NONE, 1, 1));
  model.output(y);
  return model;
}

// Gives every value another name and computes what can be computed of the bias.
void rename_and_fold(Graph& graph) {
  for (Value& value : graph.values) value.name = "renamed " + value.name;
  std::erase_if(graph.nodes, [&](const Node& node) {
    if (graph.values[node.outputs[0]].stored_bias == nullptr) return false;
    evaluate(graph, node);
    return true;
  });
}

// The one integer convolution.
Node fused(const Graph& graph) {
  const auto node = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                 [](const Node& n) { return n.op == Op::kQuantizedConv; });
  EXPECT_NE(node, graph.nodes.end());
  return node == graph.nodes.end() ? Node{{}, {kNoValue, kNoValue, kNoValue}, {}, {}, {}} : *node;
}

// Every bit that it computes with: attributes, then weights, bias, multipliers and shifts.
std::vector<std::byte> bits(const Graph& graph) {
  const Node node = fused(graph);
  const auto words = std::as_bytes(std::span(node.attributes));
  std::vector<std::byte> all(words.begin(), words.end());
  for (const ValueId id : node.inputs) {
    if (id == kNoValue || graph.values[id].constant == nullptr) continue;
    all.insert(all.end(), graph.values[id].constant->begin(), graph.values[id].constant->end());
  }
  return all;
}

std::vector<int64_t> fused_bias(const Graph& graph) {
  const Node node = fused(graph);
  if (node.inputs[2] == kNoValue) return {};
  const Value& bias = graph.values[node.inputs[2]];
  std::vector<int64_t> wide(bias.elements());
  std::vector<int32_t> narrow(bias.elements());
  if (bias.dtype == DType::kInt64) {
    std::memcpy(wide.data(), bias.constant->data(), bias.dense_bytes());
    return wide;
  }
  std::memcpy(narrow.data(), bias.constant->data(), bias.dense_bytes());
  return {narrow.begin(), narrow.end()};
}

void expect_stored(tfl::TensorType type, const std::optional<TensorData>& stored,
                   const std::vector<int64_t>& integers) {
  const std::vector<std::byte> file = convolution(type, stored).bytes();
  Graph graph = import_model(file, {})[0].graph, other = import_model(file, {})[0].graph;
  rename_and_fold(other);
  optimize(graph);
  optimize(other);
  EXPECT_THAT(fused_bias(graph), ElementsAreArray(integers));
  EXPECT_EQ(bits(graph), bits(other));
}

TEST(StoredBias, IsAddedAsItIs) {
  // Numbers of more bits than single precision has.
  expect_stored(tfl::TensorType_INT8, int32_tensor({2}, {123456789, -987654321}),
                {123456789, -987654321});
  expect_stored(tfl::TensorType_INT16, int64_tensor({2}, {1234567890123457, -98765432109877}),
                {1234567890123457, -98765432109877});
}

TEST(StoredBias, SumsOfInt16HaveTheWidthOfTheirBias) {
  // Sums of 64 bits need no bias of zeros; those of 32 bits are marked by one, and are what
  // kernels have without any.
  expect_stored(tfl::TensorType_INT16, int64_tensor({2}, {0, 0}), {});
  expect_stored(tfl::TensorType_INT16, int32_tensor({2}, {0, 0}), {0, 0});
  expect_stored(tfl::TensorType_INT16, std::nullopt, {0, 0});
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

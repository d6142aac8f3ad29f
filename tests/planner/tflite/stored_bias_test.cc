// Tests that integer products add the very integers that a model stores for their bias, whatever
// passes do between importing and fusing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "planner/graph/eval.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAreArray;

constexpr int32_t kConv2d = 3;

// A convolution of three channels to two, whose scales make units that single precision rounds.
TfliteBuilder convolution(tfl::TensorType type, const TensorData& stored) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {1, 2, 2, 3}, type);
  model.set_quantised(x, {{0.0123f}, {0}});
  const int32_t w =
      model.constant(integer_tensor(DType::kInt8, {2, 1, 1, 3}, {5, -7, 9, 2, 4, -6}));
  model.set_quantised(w, {{0.0217f, 0.0333f}, {0, 0}});
  const int32_t bias = model.constant(stored);
  model.set_quantised(bias, {{1.0f, 1.0f}, {0, 0}});
  const int32_t y = model.tensor("y", {1, 2, 2, 2}, type);
  model.set_quantised(y, {{1000.0f}, {0}});
  model.op(kConv2d, {x, w, bias}, {y}, tfl::BuiltinOptions_Conv2DOptions,
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

// The bias of the one integer convolution.
std::vector<int64_t> fused_bias(const Graph& graph) {
  const auto node = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                 [](const Node& n) { return n.op == Op::kQuantizedConv; });
  if (node == graph.nodes.end() || node->inputs[2] == kNoValue) return {};
  const Value& bias = graph.values[node->inputs[2]];
  std::vector<int64_t> elements;
  for (size_t i = 0; i < bias.elements(); ++i) {
    const std::byte* element = bias.constant->data() + i * element_bytes(bias.dtype);
    int64_t wide = 0;
    int32_t narrow = 0;
    if (bias.dtype == DType::kInt64) {
      std::memcpy(&wide, element, sizeof wide);
    } else {
      std::memcpy(&narrow, element, sizeof narrow);
      wide = narrow;
    }
    elements.push_back(wide);
  }
  return elements;
}

void expect_stored(tfl::TensorType type, const TensorData& stored,
                   const std::vector<int64_t>& integers) {
  const std::vector<std::byte> file = convolution(type, stored).bytes();
  for (const bool between : {false, true}) {
    Graph graph = import_model(file, {})[0].graph;
    if (between) rename_and_fold(graph);
    optimise(graph);
    EXPECT_THAT(fused_bias(graph), ElementsAreArray(integers)) << between;
  }
}

TEST(StoredBias, IsAddedAsItIs) {
  // Numbers of more bits than single precision has.
  expect_stored(tfl::TensorType_INT8, int32_tensor({2}, {123456789, -987654321}),
                {123456789, -987654321});
  expect_stored(tfl::TensorType_INT16, int64_tensor({2}, {1234567890123457, -98765432109877}),
                {1234567890123457, -98765432109877});
}

TEST(StoredBias, SumsOfInt16HaveTheWidthOfTheirBias) {
  for (const bool wide : {false, true}) {
    const TensorData zeros = wide ? int64_tensor({2}, {0, 0}) : int32_tensor({2}, {0, 0});
    Graph graph = import_model(convolution(tfl::TensorType_INT16, zeros).bytes(), {})[0].graph;
    rename_and_fold(graph);
    optimise(graph);
    // Sums of 64 bits need no bias of zeros; those of 32 bits are told by one.
    EXPECT_EQ(fused_bias(graph).size(), wide ? 0u : 2u);
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

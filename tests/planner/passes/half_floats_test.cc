// Models of 16-bit floats: computed in float32, weights stored narrow.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/contract.h"
#include "planner/graph/interpret.h"
#include "planner/passes/passes.h"
#include "portable_fallback/shared/typed.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using Half = SmallFloat<kFloat16Format>;

TensorData as_half(const TensorData& tensor) {
  TensorData half = tensor;
  half.dtype = DType::kFloat16;
  half.bytes.clear();
  for (const float element : floats_of(tensor.bytes)) {
    const Half narrow = element;
    const auto* bytes = reinterpret_cast<const std::byte*>(&narrow);
    half.bytes.insert(half.bytes.end(), bytes, bytes + sizeof(narrow));
  }
  return half;
}

std::vector<float> as_floats(const std::vector<std::byte>& halves) {
  std::vector<float> floats;
  for (size_t i = 0; i < halves.size(); i += sizeof(Half)) {
    Half narrow = 0.0f;
    std::memcpy(&narrow, halves.data() + i, sizeof(narrow));
    floats.push_back(narrow);
  }
  return floats;
}

// The same numbers in float32.
TensorData widened(const TensorData& half) {
  return float_tensor(half.dims, as_floats(half.bytes));
}

// Operators that take 16-bit floats and such that take none, with constants of each kind.
void add_nodes(ModelBuilder& model, DType type) {
  const auto constant = [&](const std::vector<uint32_t>& dims, uint32_t seed) {
    const TensorData half = as_half(random_tensor(dims, seed));
    return type == DType::kFloat16 ? half : widened(half);
  };
  model.input("x", {"1", "2", "6", "6"}, type).initializer("w", constant({4, 2, 3, 3}, 1));
  model.initializer("b", constant({4}, 2)).initializer("shift", constant({4, 1, 1}, 3));
  model.node("Abs", {"x"}, {"a"}).node("Conv", {"a", "w", "b"}, {"c"}, "conv");
  model.node("Relu", {"c"}, {"r"}).node("Add", {"r", "shift"}, {"s"});
  model.node("MaxPool", {"s"}, {"p"}).with_ints("kernel_shape", {2, 2});
  model.node("Concat", {"p", "p"}, {"q"}).with("axis", 1);
  model.node("Softmax", {"q"}, {"y"}).with("axis", -1).output("y", type);
}

std::vector<std::vector<std::byte>> outputs_of(const Graph& graph, const TensorData& x) {
  const std::vector<std::vector<std::byte>> inputs = {x.bytes};
  return interpret(graph, inputs);
}

TEST(HalfFloats, ModelsAreComputedInFloat32) {
  ModelBuilder narrow(13), wide(13);
  add_nodes(narrow, DType::kFloat16);
  add_nodes(wide, DType::kFloat32);
  const TensorData x = as_half(random_tensor({1, 2, 6, 6}, 9));
  const std::vector<float> expected =
      floats_of(outputs_of(import_onnx(wide.bytes(), {}), widened(x))[0]);
  Graph graph = import_onnx(narrow.bytes(), {});
  const std::vector<float> before = as_floats(outputs_of(graph, x)[0]);
  optimize(graph);
  const std::vector<float> after = as_floats(outputs_of(graph, x)[0]);
  ASSERT_EQ(after.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    // Rounded once, at the end, and before the passes after each node.
    EXPECT_NEAR(after[i], expected[i], std::abs(expected[i]) * 0x1p-11f) << i;
    EXPECT_NEAR(before[i], expected[i], 0x1p-8f) << i;
  }
  EXPECT_EQ(count_ops(graph, Op::kCast), 2u);  // after what takes halves itself, and at the end
}

TEST(HalfFloats, WeightsStayNarrow) {
  ModelBuilder model(13);
  add_nodes(model, DType::kFloat16);
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  for (const Node& node : graph.nodes) {
    if (node.op != Op::kConv) continue;
    EXPECT_EQ(graph.values[node.inputs[0]].dtype, DType::kFloat32);
    EXPECT_EQ(graph.values[node.inputs[1]].dtype, DType::kFloat16);
    EXPECT_EQ(graph.values[node.inputs[2]].dtype, DType::kFloat32);
  }
}

// A rounding that nothing reads any more counted as a reader of what it rounds.
TEST(HalfFloats, RoundingsThatGoKeepNoNodesApart) {
  for (const DType type : {DType::kFloat16, DType::kFloat32}) {
    ModelBuilder model(13);
    add_nodes(model, type);
    Graph graph = import_onnx(model.bytes(), {});
    optimize(graph);
    EXPECT_EQ(count_ops(graph, Op::kConv), 1u) << static_cast<int>(type);
    EXPECT_EQ(count_ops(graph, Op::kClip), 0u) << static_cast<int>(type);
  }
}

// Weights that a factor scales become float32: in 16 bits they would be rounded a second time.
TEST(HalfFloats, BatchNormalizationFusesAsInFloat32) {
  ModelBuilder model(13);
  model.input("x", {"1", "2", "6", "6"}, DType::kFloat16);
  model.initializer("w", as_half(random_tensor({4, 2, 3, 3}, 1)));
  const std::vector<std::string> names = {"scale", "bias", "mean", "variance"};
  for (uint32_t i = 0; i < names.size(); ++i) {
    const std::vector<float> elements = {0.5f + static_cast<float>(i), 1.5f, 0.25f, 2.0f};
    model.initializer(names[i], as_half(float_tensor({4}, elements)));
  }
  model.node("Conv", {"x", "w"}, {"c"});
  model.node("BatchNormalization", {"c", "scale", "bias", "mean", "variance"}, {"n"});
  model.node("Relu", {"n"}, {"y"}).output("y", DType::kFloat16);
  const TensorData x = as_half(random_tensor({1, 2, 6, 6}, 9));
  Graph graph = import_onnx(model.bytes(), {});
  const std::vector<float> before = as_floats(outputs_of(graph, x)[0]);
  optimize(graph);
  ASSERT_EQ(graph.nodes.size(), 3u);  // casts at both ends
  const Node& conv = graph.nodes[1];
  ASSERT_EQ(conv.op, Op::kConv);
  EXPECT_EQ(graph.values[conv.inputs[1]].dtype, DType::kFloat32);
  const std::vector<float> after = as_floats(outputs_of(graph, x)[0]);
  ASSERT_EQ(after.size(), before.size());
  for (size_t i = 0; i < after.size(); ++i) EXPECT_NEAR(after[i], before[i], 0x1p-7f) << i;
}

// What the model itself reads in 16 bits is rounded as it was.
TEST(HalfFloats, RoundingsThatAreReadStay) {
  ModelBuilder model(13);
  model.input("x", {"1", "2", "6", "6"}, DType::kFloat16);
  model.initializer("w", as_half(random_tensor({4, 2, 3, 3}, 1)));
  model.node("Conv", {"x", "w"}, {"c"}).node("Relu", {"c"}, {"y"});
  model.output("c", DType::kFloat16).output("y", DType::kFloat16);
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  EXPECT_EQ(count_ops(graph, Op::kCast), 3u);
  EXPECT_EQ(count_ops(graph, Op::kClip), 1u);
}

TEST(HalfFloats, NothingIsWidenedWhereAllOperatorsTakeThem) {
  ModelBuilder model(13);
  model.input("x", {"2", "3"}, DType::kFloat16).node("Abs", {"x"}, {"a"});
  model.node("Add", {"a", "x"}, {"y"}).output("y", DType::kFloat16);
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  EXPECT_EQ(count_ops(graph, Op::kCast), 0u);
}

Graph matrix_product(float weight) {
  ModelBuilder model(13);
  model.input("x", {"1", "3"}).initializer("w", float_tensor({3, 2}, {1, 2, 3, 4, 5, weight}));
  model.node("MatMul", {"x", "w"}, {"y"}).output("y");
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  return graph;
}

TEST(StoreWeights, RoundsToTheNearestOfTheType) {
  for (const DType type : {DType::kFloat16, DType::kBfloat16}) {
    Graph graph = matrix_product(0.1f);
    store_weights(graph, type);
    EXPECT_EQ(graph.values[graph.nodes[0].inputs[1]].dtype, type);
    const TensorData x = float_tensor({1, 3}, {0, 0, 1});
    const std::vector<float> y = floats_of(outputs_of(graph, x)[0]);
    EXPECT_EQ(y[0], 5.0f);
    EXPECT_NEAR(y[1], 0.1f, type == DType::kFloat16 ? 0.1f * 0x1p-11f : 0.1f * 0x1p-8f);
    EXPECT_NE(y[1], 0.1f);
    store_weights(graph, DType::kFloat32);
    EXPECT_EQ(graph.values[graph.nodes[0].inputs[1]].dtype, DType::kFloat32);
    EXPECT_EQ(floats_of(outputs_of(graph, x)[0]), y);
  }
}

TEST(StoreWeights, RefusesWhatIsTooLarge) {
  Graph graph = matrix_product(1e6f);
  EXPECT_THROW(store_weights(graph, DType::kFloat16), InputError);
  EXPECT_NO_THROW(store_weights(graph, DType::kBfloat16));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Tests of importers that `.cases` files cannot say: operands and attributes of the graph's nodes,
// hundreds of inputs, thousands of elements.
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

TEST(ClipImport, ConstantBoundsBecomeAttributes) {
  ModelBuilder model(11);
  model.input("x", {"4"}).initializer("min", float_tensor({1}, {2}));
  model.node("Clip", {"x", "min"}, {"y"}).output("y");
  EXPECT_EQ(import_onnx(model.bytes(), {}).nodes[0].inputs.size(), 1u);
  EXPECT_EQ(run_floats(model, {counting_tensor({4})}), (std::vector<float>{2, 2, 3, 4}));
}

TEST(ConcatImport, MoreInputsThanRecordsCanTellApart) {
  ModelBuilder model(13);
  std::vector<std::string> names;
  std::vector<TensorData> values;
  std::vector<float> expected;
  for (int i = 0; i < 300; ++i) {
    names.push_back("x" + std::to_string(i));
    model.input(names.back(), {"1"});
    expected.push_back(static_cast<float>(i));
    values.push_back(float_tensor({1}, {expected.back()}));
  }
  model.node("Concat", names, {"y"}).with("axis", 0).output("y");
  EXPECT_EQ(run_floats(model, values), expected);
}

// More dims than a copy can have: in several.
TEST(TileImport, AllOfManyDims) {
  const std::vector<uint32_t> dims = {2, 3, 2, 2, 2};
  const std::vector<uint32_t> repeats = {2, 1, 3, 2, 2};
  ModelBuilder model(13);
  model.input("x", {"2", "3", "2", "2", "2"}).node("Tile", {"x", "n"}, {"y"}).output("y");
  model.initializer("n", int64_tensor({5}, {2, 1, 3, 2, 2}));
  const std::vector<float> y = run_floats(model, {counting_tensor(dims)});
  ASSERT_EQ(y.size(), 48u * 24);
  std::vector<uint32_t> index(dims.size());
  for (const float found : y) {
    size_t from = 0;
    for (size_t i = 0; i < dims.size(); ++i) from = from * dims[i] + index[i] % dims[i];
    EXPECT_EQ(found, static_cast<float>(from + 1));
    for (size_t i = dims.size(); i-- > 0 && ++index[i] == dims[i] * repeats[i];) index[i] = 0;
  }
}

// An LSTM with 2 inputs and 3 hidden units; `change` adds attributes.
Graph lstm(
    const std::vector<std::string>& outputs, const std::vector<std::string>& more = {},
    void (*change)(ModelBuilder&) = [](ModelBuilder&) {}) {
  ModelBuilder model(14);
  model.initializer("zeros", float_tensor({1, 24}, std::vector<float>(24)));
  model.initializer("state", float_tensor({1, 1, 3}, {0, 0, 0}));
  model.initializer("w", random_tensor({1, 12, 2}, 1));
  model.initializer("r", random_tensor({1, 12, 3}, 2));
  std::vector<std::string> inputs = {"x", "w", "r"};
  inputs.insert(inputs.end(), more.begin(), more.end());
  model.input("x", {"4", "1", "2"}).node("LSTM", inputs, outputs).with("hidden_size", 3);
  change(model);
  return import_onnx(model.output(outputs.back()).bytes(), {});
}

const Node& lstm_node(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (node.op == Op::kLSTM) return node;
  }
  throw std::logic_error("no LSTM");
}

TEST(RecurrentImport, MakesTheOutputThatIsWanted) {
  EXPECT_EQ(lstm_node(lstm({"", "h"})).outputs.size(), 1u);
}

TEST(RecurrentImport, LeavesOutWhatChangesNothing) {
  EXPECT_EQ(lstm_node(lstm({"y"}, {"zeros", "", "state", "state"})).inputs.size(), 3u);
}

TEST(RecurrentImport, FunctionsTakeTheParametersInTurn) {
  const Graph graph = lstm({"y"}, {}, [](ModelBuilder& model) {
    model.with_strings("activations", {"HardSigmoid", "tanh", "ScaledTanh"});
    model.with_floats("activation_alpha", {0.3f, 1.5f}).with_floats("activation_beta", {0.6f});
  });
  const auto attributes = lstm_node(graph).attributes_as<RecurrentAttributes>();
  EXPECT_EQ(attributes.functions[0].kind, CellFunctionKind::kHardSigmoid);
  EXPECT_EQ(attributes.functions[0].a, 0.3f);
  EXPECT_EQ(attributes.functions[0].b, 0.6f);
  EXPECT_EQ(attributes.functions[1].kind, CellFunctionKind::kTanh);
  EXPECT_EQ(attributes.functions[2].kind, CellFunctionKind::kScaledTanh);
  EXPECT_EQ(attributes.functions[2].a, 1.5f);
  EXPECT_EQ(attributes.functions[2].b, 1.0f);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

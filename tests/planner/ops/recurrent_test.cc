// Tests of importing LSTM, GRU and RNN: layouts, parameters of functions, what is left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using testing::HasSubstr;

// Of 2 inputs and 3 hidden units.
ModelBuilder& lstm(ModelBuilder& model, const std::vector<std::string>& x,
                   const std::vector<std::string>& outputs,
                   const std::vector<std::string>& more = {}) {
  model.input("x", x);
  model.initialiser("w", random_tensor({1, 12, 2}, 1));
  model.initialiser("r", random_tensor({1, 12, 3}, 2));
  std::vector<std::string> inputs = {"x", "w", "r"};
  inputs.insert(inputs.end(), more.begin(), more.end());
  model.node("LSTM", inputs, outputs).with("hidden_size", 3);
  for (const std::string& output : outputs) {
    if (!output.empty()) model.output(output);
  }
  return model;
}

const Node& recurrent_node(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (node.op == Op::kLSTM || node.op == Op::kGRU || node.op == Op::kRNN) return node;
  }
  throw std::logic_error("no recurrent node");
}

TEST(RecurrentImport, BothLayoutsAgree) {
  ModelBuilder time_first(14), batch_first(14);
  lstm(time_first, {"4", "1", "2"}, {"y", "h", "c"});
  lstm(batch_first, {"1", "4", "2"}, {"y", "h", "c"}).with("layout", 1);
  const std::vector<TensorData> a = run_model(time_first, {random_tensor({4, 1, 2}, 3)});
  const std::vector<TensorData> b = run_model(batch_first, {random_tensor({1, 4, 2}, 3)});
  EXPECT_EQ(a[0].dims, (std::vector<uint32_t>{4, 1, 1, 3}));
  EXPECT_EQ(b[0].dims, (std::vector<uint32_t>{1, 4, 1, 3}));
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(a[i].bytes, b[i].bytes) << i;
}

TEST(RecurrentImport, MakesTheOutputsThatAreWanted) {
  ModelBuilder all(14), last(14), cell(14);
  const std::vector<TensorData> x = {random_tensor({4, 1, 2}, 3)};
  const std::vector<TensorData> expected =
      run_model(lstm(all, {"4", "1", "2"}, {"y", "h", "c"}), x);
  EXPECT_EQ(run_model(lstm(last, {"4", "1", "2"}, {"", "h"}), x)[0].bytes, expected[1].bytes);
  EXPECT_EQ(run_model(lstm(cell, {"4", "1", "2"}, {"", "", "c"}), x)[0].bytes, expected[2].bytes);
  const Graph graph = import_onnx(last.bytes(), {});
  EXPECT_EQ(recurrent_node(graph).outputs.size(), 1u);
}

TEST(RecurrentImport, LeavesOutWhatChangesNothing) {
  ModelBuilder model(14);
  model.initialiser("zeros", float_tensor({1, 24}, std::vector<float>(24)));
  model.initialiser("state", float_tensor({1, 1, 3}, {0, 0, 0}));
  lstm(model, {"4", "1", "2"}, {"y"}, {"zeros", "", "state", "state"});
  EXPECT_EQ(recurrent_node(import_onnx(model.bytes(), {})).inputs.size(), 3u);
}

TEST(RecurrentImport, FunctionsTakeTheParametersInTurn) {
  ModelBuilder model(14);
  lstm(model, {"4", "1", "2"}, {"y"});
  model.with_strings("activations", {"HardSigmoid", "tanh", "ScaledTanh"});
  model.with_floats("activation_alpha", {0.3f, 1.5f}).with_floats("activation_beta", {0.6f});
  const auto attributes =
      recurrent_node(import_onnx(model.bytes(), {})).attributes_as<RecurrentAttributes>();
  EXPECT_EQ(attributes.functions[0].kind, CellFunctionKind::kHardSigmoid);
  EXPECT_EQ(attributes.functions[0].a, 0.3f);
  EXPECT_EQ(attributes.functions[0].b, 0.6f);
  EXPECT_EQ(attributes.functions[1].kind, CellFunctionKind::kTanh);
  EXPECT_EQ(attributes.functions[2].kind, CellFunctionKind::kScaledTanh);
  EXPECT_EQ(attributes.functions[2].a, 1.5f);
  EXPECT_EQ(attributes.functions[2].b, 1.0f);
}

TEST(RecurrentImport, RefusesWhatDoesNotFit) {
  const auto error = [](const auto& change) {
    ModelBuilder model(14);
    lstm(model, {"4", "1", "2"}, {"y"});
    change(model);
    return import_error(model);
  };
  EXPECT_THAT(error([](ModelBuilder& m) { m.with("direction", "sideways"); }),
              HasSubstr("'sideways' is not forward, reverse or bidirectional"));
  EXPECT_THAT(error([](ModelBuilder& m) { m.with("direction", "bidirectional"); }),
              HasSubstr("input 1 has dims [1, 12, 2], expected [2, 12, 2]"));
  EXPECT_THAT(error([](ModelBuilder& m) { m.with_strings("activations", {"Tanh"}); }),
              HasSubstr("names 1 functions, expected 3"));
  EXPECT_THAT(error([](ModelBuilder& m) {
                m.with_strings("activations", {"Sigmoid", "Cube", "Tanh"});
              }),
              HasSubstr("'Cube' is no function of recurrent cells"));
  EXPECT_THAT(error([](ModelBuilder& m) { m.with("clip", -1.0f); }), HasSubstr("is not positive"));
  ModelBuilder lengths(14);
  lengths.initialiser("zeros", float_tensor({1, 24}, std::vector<float>(24)));
  lengths.initialiser("lengths", float_tensor({1}, {2}));
  EXPECT_THAT(import_error(lstm(lengths, {"4", "1", "2"}, {"y"}, {"zeros", "lengths"})),
              HasSubstr("sequence_lens are float32, expected int32"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Tests TensorFlow Lite's layers with state in variables: what comes in and goes out beside what
// the model says, and their results against ones worked out by hand or by a program of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int32_t kSvdf = 27, kSequenceLstm = 44;

template <typename T>
TensorData integers(DType dtype, std::vector<uint32_t> dims, const std::vector<T>& elements) {
  TensorData data{dtype, std::move(dims), {}};
  data.bytes.resize(elements.size() * sizeof(T));
  if (!elements.empty()) std::memcpy(data.bytes.data(), elements.data(), data.bytes.size());
  return data;
}

TensorData int8s(std::vector<uint32_t> dims, const std::vector<int8_t>& elements) {
  return integers(DType::kInt8, std::move(dims), elements);
}
TensorData int16s(std::vector<uint32_t> dims, const std::vector<int16_t>& elements) {
  return integers(DType::kInt16, std::move(dims), elements);
}

template <typename T>
std::vector<int> as_ints(const TensorData& data) {
  std::vector<T> elements(data.bytes.size() / sizeof(T));
  if (!elements.empty()) std::memcpy(elements.data(), data.bytes.data(), data.bytes.size());
  return {elements.begin(), elements.end()};
}

struct Svdf {
  TfliteBuilder model = {};
  int32_t x = 0, state = 0, y = 0;
};

Svdf float_svdf() {
  Svdf svdf;
  TfliteBuilder& m = svdf.model;
  svdf.x = m.input("x", {1, 2});
  const int32_t features = m.constant(float_tensor({2, 2}, {1, 0, 0.5f, 0.5f}));
  const int32_t times = m.constant(float_tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
  const int32_t bias = m.constant(float_tensor({2}, {0.5f, -40}));
  svdf.state = m.tensor("memory", {1, 6});
  m.set_variable(svdf.state);
  svdf.y = m.tensor("y", {1, 2});
  m.op(kSvdf, {svdf.x, features, times, bias, svdf.state}, {svdf.y},
       tfl::BuiltinOptions_SVDFOptions,
       made_by<tfl::CreateSVDFOptions>(1, tfl::ActivationFunctionType_RELU));
  m.output(svdf.y);
  return svdf;
}

// Products of x are 1 and 1.5; sums of 20, 30, 1 and of 2, 3, 1.5 with the weights of time, 83 and
// 32, get the bias.
TEST(TfliteState, SvdfOfFloats) {
  const std::vector<TensorData> results =
      run_tflite(float_svdf().model,
                 {float_tensor({1, 2}, {1, 2}), float_tensor({1, 6}, {10, 20, 30, 1, 2, 3})});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_THAT(floats_of(results[0].bytes), ElementsAre(83.5f, 0));
  EXPECT_THAT(floats_of(results[1].bytes), ElementsAre(20, 30, 1, 2, 3, 1.5f));
}

TEST(TfliteState, VariablesAreInputsAndOutputs) {
  const std::vector<ImportedMethod> methods = import_model(float_svdf().model.bytes(), {});
  const Graph& graph = methods[0].graph;
  ASSERT_EQ(graph.inputs.size(), 2u);
  ASSERT_EQ(graph.outputs.size(), 2u);
  EXPECT_EQ(graph.values[graph.inputs[1]].name, "memory");
  EXPECT_EQ(graph.values[graph.outputs[1]].name, "memory.next");
  EXPECT_TRUE(graph.input_names.empty());
  ASSERT_EQ(graph.notes.size(), 1u);
  EXPECT_THAT(graph.notes[0], HasSubstr("variable 'memory' is an input and an output"));
}

TEST(TfliteState, BesideTheNamesOfASignature) {
  Svdf svdf = float_svdf();
  svdf.model.signature("serve", {"given"}, {"made"});
  const std::vector<ImportedMethod> methods = import_model(svdf.model.bytes(), {});
  const Graph& graph = methods[0].graph;
  EXPECT_THAT(graph.input_names, ElementsAre("given", "memory"));
  EXPECT_THAT(graph.output_names, ElementsAre("made", "memory.next"));
}

// Scales make both multipliers powers of two: products {2, 6}, sums 86 and 11 + 3, half of them,
// less 1.
TEST(TfliteState, SvdfOfIntegers) {
  TfliteBuilder m;
  const int32_t x = m.input("x", {1, 2}, tfl::TensorType_INT8);
  m.set_quantised(x, {{0.5f}, {1}});
  const int32_t features = m.constant(int8s({2, 2}, {1, 0, 1, 1}));
  m.set_quantised(features, {{0.5f}, {0}});
  const int32_t times = m.constant(int16s({2, 3}, {1, 2, 3, 1, 1, 1}));
  m.set_quantised(times, {{1}, {0}});
  const int32_t bias = m.constant(int32_tensor({2}, {0, 3}));
  const int32_t state = m.tensor("state", {1, 6}, tfl::TensorType_INT16);
  m.set_quantised(state, {{0.25f}, {0}});
  m.set_variable(state);
  const int32_t y = m.tensor("y", {1, 2}, tfl::TensorType_INT8);
  m.set_quantised(y, {{0.5f}, {-1}});
  m.op(kSvdf, {x, features, times, bias, state}, {y}, tfl::BuiltinOptions_SVDFOptions,
       made_by<tfl::CreateSVDFOptions>(1, tfl::ActivationFunctionType_RELU));
  m.output(y);
  const std::vector<TensorData> results =
      run_tflite(m, {int8s({1, 2}, {3, 5}), int16s({1, 6}, {10, 20, 30, 1, 2, 3})});
  EXPECT_THAT(as_ints<int8_t>(results[0]), ElementsAre(42, 6));
  EXPECT_THAT(as_ints<int16_t>(results[1]), ElementsAre(20, 30, 2, 2, 3, 6));
}

// A sequence of 3, two inputs, two units; `type`: of x and the state.
struct Lstm {
  TfliteBuilder model = {};
  std::vector<int32_t> operands = std::vector<int32_t>(24, -1);
};

void add_lstm(Lstm& lstm, int32_t y, bool time_major, float cell_clip = 0,
              tfl::ActivationFunctionType activation = tfl::ActivationFunctionType_TANH) {
  lstm.model.op(kSequenceLstm, lstm.operands, {y},
                tfl::BuiltinOptions_UnidirectionalSequenceLSTMOptions,
                made_by<tfl::CreateUnidirectionalSequenceLSTMOptions>(activation, cell_clip, 0.0f,
                                                                      time_major, false, false));
  lstm.model.output(y);
}

Lstm integer_lstm() {
  Lstm lstm;
  TfliteBuilder& m = lstm.model;
  const auto quantised = [&](int32_t tensor, float scale, int64_t zero) {
    m.set_quantised(tensor, {{scale}, {zero}});
    return tensor;
  };
  const std::vector<std::vector<int8_t>> w = {
      {40, -20, 10, 90}, {5, -60, -70, 33}, {127, -64, 15, -99}, {-8, 77, 66, 2}};
  const std::vector<std::vector<int8_t>> r = {
      {11, -31, 51, -71}, {-9, 29, 49, 69}, {13, -37, 53, -73}, {17, 41, -57, 79}};
  const std::vector<std::vector<int32_t>> bias = {
      {100, -200}, {300, -400}, {500, 600}, {-700, 800}};
  lstm.operands[0] = quantised(m.input("x", {1, 3, 2}, tfl::TensorType_INT8), 0.03125f, -3);
  for (size_t gate = 0; gate < 4; ++gate) {
    lstm.operands[1 + gate] = quantised(m.constant(int8s({2, 2}, w[gate])), 0.0078125f, 0);
    lstm.operands[5 + gate] = quantised(m.constant(int8s({2, 2}, r[gate])), 0.015625f, 0);
    lstm.operands[12 + gate] = m.constant(int32_tensor({2}, bias[gate]));
  }
  lstm.operands[18] = quantised(m.tensor("h", {1, 2}, tfl::TensorType_INT8), 0.0078125f, 2);
  lstm.operands[19] = quantised(m.tensor("c", {1, 2}, tfl::TensorType_INT16), 1.0f / 2048, 0);
  m.set_variable(lstm.operands[18]);
  m.set_variable(lstm.operands[19]);
  return lstm;
}

int32_t integer_result(Lstm& lstm) {
  const int32_t y = lstm.model.tensor("y", {1, 3, 2}, tfl::TensorType_INT8);
  lstm.model.set_quantised(y, {{0.0078125f}, {2}});
  return y;
}

TEST(TfliteState, LstmOfIntegers) {
  Lstm lstm = integer_lstm();
  add_lstm(lstm, integer_result(lstm), false);
  const std::vector<TensorData> results =
      run_tflite(lstm.model, {int8s({1, 3, 2}, {20, -30, -100, 77, 3, 4}), int8s({1, 2}, {5, -6}),
                              int16s({1, 2}, {1000, -2000})});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_THAT(as_ints<int8_t>(results[0]), ElementsAre(30, 0, -2, -13, 9, -18));
  EXPECT_THAT(as_ints<int8_t>(results[1]), ElementsAre(9, -18));
  EXPECT_THAT(as_ints<int16_t>(results[2]), ElementsAre(237, -606));
}

TEST(TfliteState, WhatIsNotSupportedIsNamed) {
  Lstm peephole = integer_lstm();
  peephole.operands[9] = peephole.operands[12];
  add_lstm(peephole, integer_result(peephole), false);
  EXPECT_THAT(tflite_error(peephole.model),
              AllOf(HasSubstr("(UNIDIRECTIONAL_SEQUENCE_LSTM)"), HasSubstr("peepholes are not")));
  Lstm relu = integer_lstm();
  add_lstm(relu, integer_result(relu), false, 0, tfl::ActivationFunctionType_RELU);
  EXPECT_THAT(tflite_error(relu.model), HasSubstr("expected tanh"));
  Lstm clip = integer_lstm();
  add_lstm(clip, integer_result(clip), false, -1);
  EXPECT_THAT(tflite_error(clip.model), HasSubstr("cell_clip is -1"));
  Lstm wide = integer_lstm();
  wide.model.set_quantised(wide.operands[1], {{1, 1}, {0, 0}, 0});
  add_lstm(wide, integer_result(wide), false);
  EXPECT_THAT(tflite_error(wide.model), HasSubstr("without one scale for all"));
}

TEST(TfliteState, StatesThatAreNoneAreNamed) {
  TfliteBuilder m;
  const int32_t x = m.input("x", {1, 2});
  const int32_t features = m.constant(float_tensor({2, 2}, {1, 0, 0, 1}));
  const int32_t times = m.constant(float_tensor({2, 1}, {1, 2}));
  const int32_t state = m.input("state", {1, 2});
  const int32_t y = m.tensor("y", {1, 2});
  m.op(kSvdf, {x, features, times, -1, state}, {y}, tfl::BuiltinOptions_SVDFOptions,
       made_by<tfl::CreateSVDFOptions>(1, tfl::ActivationFunctionType_NONE));
  m.output(y);
  EXPECT_THAT(tflite_error(m), HasSubstr("input 4, tensor 3 ('state'), is no variable"));
  Svdf rank = float_svdf();
  TfliteBuilder three = rank.model;
  three.op(kSvdf, {rank.x, rank.x, rank.x, -1, rank.state}, {three.tensor("z", {})},
           tfl::BuiltinOptions_SVDFOptions,
           made_by<tfl::CreateSVDFOptions>(3, tfl::ActivationFunctionType_NONE));
  EXPECT_THAT(tflite_error(three), HasSubstr("rank is 3 with features [1, 2]"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

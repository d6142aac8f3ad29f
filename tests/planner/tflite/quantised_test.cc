// Tests how TensorFlow Lite's quantised tensors are read: what their integers stand for, what moves
// as it is, and what is said of scales that make no sense.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Scales = TfliteBuilder::Scales;

TensorData int8_tensor(std::vector<uint32_t> dims, const std::vector<int8_t>& elements) {
  TensorData data{DType::kInt8, std::move(dims), {}};
  data.bytes.resize(elements.size());
  if (!elements.empty()) std::memcpy(data.bytes.data(), elements.data(), elements.size());
  return data;
}

std::vector<int> int8s(const TensorData& data) {
  std::vector<int> numbers;
  for (const std::byte byte : data.bytes) {
    numbers.push_back(static_cast<int8_t>(std::to_integer<uint8_t>(byte)));
  }
  return numbers;
}

// A model of one operator over int8 tensors: operand 0 is given, the others are constant.
struct Int8Model {
  TfliteBuilder model = {};
  std::vector<int32_t> inputs = {};

  int32_t given(const std::vector<int32_t>& dims, Scales scales) {
    const int32_t x = model.input("x" + std::to_string(inputs.size()), dims, tfl::TensorType_INT8);
    model.set_quantised(x, std::move(scales));
    inputs.push_back(x);
    return x;
  }
  int32_t fixed(const TensorData& data, const Scales& scales) {
    const int32_t c = model.constant(data);
    model.set_quantised(c, scales);
    inputs.push_back(c);
    return c;
  }
  void op(int32_t code, Scales scales, tfl::BuiltinOptions type = tfl::BuiltinOptions_NONE,
          const TfliteBuilder::Options& options = {}) {
    const int32_t y = model.tensor("y", {}, tfl::TensorType_INT8);
    model.set_quantised(y, std::move(scales));
    if (options) {
      model.op(code, inputs, {y}, type, options);
    } else {
      model.op(code, inputs, {y});
    }
    model.output(y);
  }
  std::vector<int> run(const std::vector<TensorData>& x) const {
    return int8s(run_tflite(model, x)[0]);
  }
};

// The bias counts in products of the scales, whatever its own says: 3 rows of weights with scales
// of their own, x less its zero point is {1, 2}; sums 1*2+2*3+4 = 12, 1*-1+2*5-9 = 0, 1*7+2*0+1 =
// 8; times 0.5 * {0.25, 1, 2} / 0.5 is 3, 0, 16; RELU6 ends at 6 / 0.5 = 12; the zero point is -10.
TEST(TfliteQuantised, FullyConnectedWithScalesAChannel) {
  Int8Model m;
  m.given({1, 2}, {{0.5f}, {-4}});
  m.fixed(int8_tensor({3, 2}, {2, 3, -1, 5, 7, 0}), {{0.25f, 1, 2}, {0, 0, 0}, 0});
  m.fixed(int32_tensor({3}, {4, -9, 1}), {{99}, {0}});
  m.op(9, {{0.5f}, {-10}}, tfl::BuiltinOptions_FullyConnectedOptions,
       made_by<tfl::CreateFullyConnectedOptions>(tfl::ActivationFunctionType_RELU6,
                                                 tfl::FullyConnectedOptionsWeightsFormat_DEFAULT,
                                                 false));
  EXPECT_THAT(m.run({int8_tensor({1, 2}, {-3, -2})}), ElementsAre(-7, -10, 2));
}

// The second scale is the second channel's, wherever the operator's own words put channels.
TEST(TfliteQuantised, DepthwiseScalesLieAlongTheLastDimension) {
  Int8Model m;
  m.given({1, 1, 2, 2}, {{1}, {0}});
  m.fixed(int8_tensor({1, 1, 2, 2}, {1, 2, 3, 4}), {{1, 0.5f}, {0, 0}, 3});
  m.op(4, {{1}, {0}}, tfl::BuiltinOptions_DepthwiseConv2DOptions,
       made_by<tfl::CreateDepthwiseConv2DOptions>(tfl::Padding_VALID, 1, 1, 1,
                                                  tfl::ActivationFunctionType_NONE, 1, 1));
  // Channel 0: 5 * 1 + 7 * 3; channel 1: (6 * 2 + 8 * 4) / 2.
  EXPECT_THAT(m.run({int8_tensor({1, 1, 2, 2}, {5, 6, 7, 8})}), ElementsAre(26, 22));
}

TEST(TfliteQuantised, FourBitsAreTwoToAByte) {
  Int8Model m;
  m.given({1, 3}, {{1}, {0}});
  const int32_t w = m.model.tensor("w", {1, 3}, tfl::TensorType_INT4);
  m.model.set_bytes(w, {0xF2, 0x08});  // 2, -1, -8
  m.model.set_quantised(w, {{1}, {0}});
  m.inputs.push_back(w);
  m.op(9, {{1}, {0}});
  EXPECT_THAT(m.run({int8_tensor({1, 3}, {5, 3, 2})}), ElementsAre(5 * 2 - 3 - 8 * 2));
}

TEST(TfliteQuantised, PaddingIsTheZeroPoint) {
  Int8Model m;
  m.given({1, 2}, {{0.5f}, {7}});
  m.inputs.push_back(m.model.constant(int32_tensor({2, 2}, {0, 0, 1, 2})));
  m.op(34, {{0.5f}, {7}});
  EXPECT_THAT(m.run({int8_tensor({1, 2}, {1, -2})}), ElementsAre(7, 1, -2, 7, 7));
}

TEST(TfliteQuantised, PartsOfOtherScalesAreQuantisedAnew) {
  Int8Model m;
  m.given({1, 2}, {{1}, {0}});
  m.given({1, 2}, {{0.5f}, {10}});
  m.op(2, {{1}, {0}}, tfl::BuiltinOptions_ConcatenationOptions,
       made_by<tfl::CreateConcatenationOptions>(1, tfl::ActivationFunctionType_NONE));
  // (17 - 10) / 2 = 3.5, rounded up, and (6 - 10) / 2 = -2.
  EXPECT_THAT(m.run({int8_tensor({1, 2}, {1, -128}), int8_tensor({1, 2}, {17, 6})}),
              ElementsAre(1, -128, 4, -2));
}

TEST(TfliteQuantised, GreatestElementsArePickedAmongIntegers) {
  Int8Model m;
  m.given({1, 2, 2, 1}, {{0.1f}, {3}});
  m.op(17, {{0.1f}, {3}}, tfl::BuiltinOptions_Pool2DOptions,
       made_by<tfl::CreatePool2DOptions>(tfl::Padding_VALID, 1, 1, 2, 2,
                                         tfl::ActivationFunctionType_NONE));
  EXPECT_THAT(m.run({int8_tensor({1, 2, 2, 1}, {-7, 5, 127, -128})}), ElementsAre(127));
}

TEST(TfliteQuantised, FromNumbersAndBack) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {4});
  const int32_t q = model.tensor("q", {4}, tfl::TensorType_INT8);
  const int32_t y = model.tensor("y", {4});
  model.set_quantised(q, {{0.5f}, {-1}});
  model.op(114, {x}, {q});
  model.op(6, {q}, {y});
  model.output(q);
  model.output(y);
  const std::vector<TensorData> results =
      run_tflite(model, {float_tensor({4}, {0.25f, -0.25f, 1, 99})});
  EXPECT_THAT(int8s(results[0]), ElementsAre(0, -2, 1, 127));
  EXPECT_THAT(floats_of(results[1].bytes), ElementsAre(0.5f, -0.5f, 1, 64));
}

// A row from 0 to 255 has a scale of 1: nothing is lost.
TEST(TfliteQuantised, WeightsAloneWithFloatActivations) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {1, 2});
  const int32_t w = model.constant(int8_tensor({2, 2}, {1, 2, 3, 4}));
  model.set_quantised(w, {{0.5f, 0.25f}, {0, 0}, 0});
  const int32_t y = model.tensor("y", {1, 2});
  model.op(9, {x, w}, {y});
  model.output(y);
  EXPECT_THAT(run_tflite_floats(model, {float_tensor({1, 2}, {51, 255})}),
              ElementsAre(280.5f, 293.25f));
}

TEST(TfliteQuantised, InputsAndOutputsKeepTheirRecords) {
  Int8Model m;
  m.given({2}, {{0.5f}, {7}});
  m.op(101, {{0.25f}, {-3}});
  const std::vector<ImportedMethod> methods = import_model(m.model.bytes(), {});
  const Graph& graph = methods[0].graph;
  const Value& x = graph.values[graph.inputs[0]];
  const Value& y = graph.values[graph.outputs[0]];
  ASSERT_TRUE(x.quantisation && y.quantisation);
  EXPECT_EQ(x.dtype, DType::kInt8);
  EXPECT_EQ(y.dtype, DType::kInt8);
  EXPECT_THAT(x.quantisation->scales, ElementsAre(0.5f));
  EXPECT_THAT(x.quantisation->zero_points, ElementsAre(7));
  EXPECT_THAT(y.quantisation->scales, ElementsAre(0.25f));
  EXPECT_THAT(y.quantisation->zero_points, ElementsAre(-3));
}

std::string error_with(Scales scales) {
  Int8Model m;
  m.given({2, 3}, std::move(scales));
  m.op(101, {{1}, {0}});
  return tflite_error(m.model);
}

TEST(TfliteQuantised, ScalesThatMakeNoSenseAreNamed) {
  EXPECT_THAT(error_with({{0}, {0}}),
              AllOf(HasSubstr("(ABS): input 0, tensor 0 ('x0')"), HasSubstr("has a scale of 0.0")));
  EXPECT_THAT(error_with({{INFINITY}, {0}}), HasSubstr("has a scale of inf"));
  EXPECT_THAT(error_with({{NAN}, {0}}), HasSubstr("has a scale of nan"));
  EXPECT_THAT(error_with({{-1}, {0}}), HasSubstr("has a scale of -1.0"));
  EXPECT_THAT(error_with({{1}, {128}}), HasSubstr("has a zero point of 128, expected -128 to 127"));
  EXPECT_THAT(error_with({{1}, {0, 0}}), HasSubstr("has 2 zero points for 1 scales"));
  EXPECT_THAT(error_with({{1, 1}, {0, 0}, 2}),
              HasSubstr("has 2 scales along dimension 2 of [2, 3]"));
  EXPECT_THAT(error_with({{1, 1}, {0, 0}, -1}),
              HasSubstr("has 2 scales along dimension -1 of [2, 3]"));
  EXPECT_THAT(error_with({{1, 1}, {0, 0}, 1}),
              HasSubstr("has 2 scales, expected one, or one for each index of dimension 1"));
  EXPECT_EQ(error_with({{1, 1}, {0, 0}, 0}), "");
  EXPECT_EQ(error_with({{1}, {}}), "");
}

TEST(TfliteQuantised, ResultsWithSuchScalesAreNamed) {
  Int8Model m;
  m.given({2}, {{1}, {0}});
  m.op(101, {{0}, {0}});
  EXPECT_THAT(tflite_error(m.model), HasSubstr("output 0, tensor 1 ('y'), has a scale of 0"));
}

TEST(TfliteQuantised, BiasesOfAnotherSizeThanTheScalesAreNamed) {
  Int8Model m;
  m.given({1, 2}, {{1}, {0}});
  m.fixed(int8_tensor({2, 2}, {1, 2, 3, 4}), {{1, 2}, {0, 0}, 0});
  m.fixed(int32_tensor({3}, {1, 2, 3}), {{1}, {0}});
  m.op(9, {{1}, {0}});
  EXPECT_THAT(tflite_error(m.model),
              HasSubstr("bias, tensor 2 ('c2'), has dims [3], expected one for each of 2 scales"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Tests importing elementwise operators: old broadcasting, bounds, types, normalisation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;

TensorData int32_tensor(std::vector<uint32_t> dims, const std::vector<int32_t>& elements) {
  TensorData data{DType::kInt32, std::move(dims), std::vector<std::byte>(elements.size() * 4)};
  std::memcpy(data.bytes.data(), elements.data(), data.bytes.size());
  return data;
}

std::vector<int32_t> int32s_of(const TensorData& data) {
  std::vector<int32_t> elements(data.bytes.size() / 4);
  std::memcpy(elements.data(), data.bytes.data(), data.bytes.size());
  return elements;
}

TEST(BinaryImport, AxisBeforeOpset7) {
  ModelBuilder model(6);
  model.input("a", {"2", "3"}).input("b", {"2"}).node("Add", {"a", "b"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), HasSubstr("attribute 'broadcast': is not set"));
  model.with("broadcast", 1).with("axis", 0);
  EXPECT_THAT(run_floats(model, {counting_tensor({2, 3}), counting_tensor({2})}),
              ElementsAre(2, 3, 4, 6, 7, 8));
}

TEST(BinaryImport, AxisWithoutRoom) {
  ModelBuilder model(6);
  model.input("a", {"2", "3"}).input("b", {"2", "3"}).node("Mul", {"a", "b"}, {"y"}).output("y");
  model.with("broadcast", 1).with("axis", 1);
  EXPECT_THAT(import_error(model), HasSubstr("attribute 'axis'"));
}

TEST(BinaryImport, BothOperandsBroadcast) {
  ModelBuilder model(13);
  model.input("a", {"2", "1"}).input("b", {"3"}).node("Div", {"a", "b"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(model, {float_tensor({2, 1}, {6, 12}), counting_tensor({3})}),
              ElementsAre(6, 3, 2, 12, 6, 4));
}

TEST(BinaryImport, TypesMustAgree) {
  ModelBuilder model(13);
  model.input("a", {"1"}).input("b", {"1"}, DType::kInt64).node("Add", {"a", "b"}, {"y"});
  EXPECT_THAT(import_error(model.output("y")), AllOf(HasSubstr("float32"), HasSubstr("int64")));
}

TEST(PowImport, TakesAnExponentOfAnotherType) {
  ModelBuilder model(13), flags(13);
  model.input("a", {"3"}).input("b", {"1"}, DType::kInt32).node("Pow", {"a", "b"}, {"y"});
  const auto outputs = run_model(model.output("y"), {counting_tensor({3}), int32_tensor({1}, {2})});
  EXPECT_EQ(outputs[0].dtype, DType::kFloat32);
  EXPECT_THAT(floats_of(outputs[0].bytes), ElementsAre(1, 4, 9));
  flags.input("a", {"3"}).input("b", {"1"}, DType::kBool).node("Pow", {"a", "b"}, {"y"});
  EXPECT_THAT(import_error(flags.output("y")), HasSubstr("bool"));
}

TEST(ModImport, TruncatesWhereAsked) {
  for (const auto& [fmod, rest] : {std::pair(0, 1), std::pair(1, -2)}) {
    ModelBuilder model(13);
    model.input("a", {"1"}, DType::kInt32).input("b", {"1"}, DType::kInt32);
    model.node("Mod", {"a", "b"}, {"y"}).with("fmod", fmod).output("y", DType::kInt32);
    const auto outputs = run_model(model, {int32_tensor({1}, {-5}), int32_tensor({1}, {3})});
    EXPECT_THAT(int32s_of(outputs[0]), ElementsAre(rest));
  }
  ModelBuilder floats(13);
  floats.input("a", {"1"}).input("b", {"1"}).node("Mod", {"a", "b"}, {"y"}).output("y");
  EXPECT_THAT(import_error(floats), AllOf(HasSubstr("attribute 'fmod'"), HasSubstr("float32")));
}

TEST(WhereImport, BroadcastsAllThree) {
  ModelBuilder model(16), number(16);
  model.input("c", {"2", "1"}, DType::kBool).input("a", {"3"}).input("b", {"1"});
  model.node("Where", {"c", "a", "b"}, {"y"}).output("y");
  const TensorData condition = {DType::kBool, {2, 1}, {std::byte{1}, std::byte{0}}};
  EXPECT_THAT(run_floats(model, {condition, counting_tensor({3}), float_tensor({1}, {7})}),
              ElementsAre(1, 2, 3, 7, 7, 7));
  number.input("c", {"1"}).input("a", {"1"}).input("b", {"1"});
  number.node("Where", {"c", "a", "b"}, {"y"}).output("y");
  EXPECT_THAT(import_error(number), HasSubstr("expected bool"));
}

TEST(SumImport, AddsInOrderAndBroadcasts) {
  ModelBuilder model(13);
  model.input("a", {"1"}).input("b", {"2"}).input("c", {"2", "1"});
  model.node("Sum", {"a", "b", "c"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(model, {counting_tensor({1}), counting_tensor({2}),
                                 float_tensor({2, 1}, {10, 20})}),
              ElementsAre(12, 13, 22, 23));
}

TEST(MaxImport, TakesAnyNumberOfOperandsAndTypes) {
  ModelBuilder model(13), integers(13);
  model.input("a", {"1"}).input("b", {"2"}).input("c", {"2", "1"});
  model.node("Max", {"a", "b", "c"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(model, {float_tensor({1}, {3}), float_tensor({2}, {1, 5}),
                                 float_tensor({2, 1}, {4, -2})}),
              ElementsAre(4, 5, 3, 5));
  integers.input("a", {"2"}, DType::kInt32).input("b", {"2"}, DType::kInt32);
  integers.node("Min", {"a", "b"}, {"y"}).output("y", DType::kInt32);
  const auto outputs = run_model(integers, {int32_tensor({2}, {-3, 7}), int32_tensor({2}, {2, 6})});
  EXPECT_THAT(int32s_of(outputs[0]), ElementsAre(-3, 6));
}

TEST(UnaryImport, ParametersAndTheirDefaults) {
  for (const int64_t opset : {1, 6, 13}) {
    ModelBuilder selu(opset), elu(opset);
    selu.input("x", {"2"}).node("Selu", {"x"}, {"y"}).output("y");
    const std::vector<float> y = run_floats(selu, {float_tensor({2}, {-100, 2})});
    EXPECT_FLOAT_EQ(y[0], opset < 6 ? -1.6732f * 1.0507f : -1.6732632f * 1.0507010f);
    EXPECT_FLOAT_EQ(y[1], opset < 6 ? 2 * 1.0507f : 2 * 1.0507010f);
    elu.input("x", {"2"}).node("Elu", {"x"}, {"y"}).with("alpha", 2.0f).output("y");
    EXPECT_THAT(run_floats(elu, {float_tensor({2}, {-100, 3})}), ElementsAre(-2, 3));
  }
}

TEST(UnaryImport, GeluIsExactOrByTanh) {
  for (const auto& [approximate, of_one] :
       {std::pair("none", 0.8413447f), std::pair("tanh", 0.8411920f)}) {
    ModelBuilder model(20);
    model.input("x", {"1"}).node("Gelu", {"x"}, {"y"}).with("approximate", approximate);
    EXPECT_THAT(run_floats(model.output("y"), {float_tensor({1}, {1})}),
                ElementsAre(FloatNear(of_one, 2e-6f)))
        << approximate;
  }
  ModelBuilder model(20);
  model.input("x", {"1"}).node("Gelu", {"x"}, {"y"}).with("approximate", "erf").output("y");
  EXPECT_THAT(import_error(model),
              AllOf(HasSubstr("attribute 'approximate'"), HasSubstr("found 'erf'")));
}

TEST(UnaryImport, Mish) {
  ModelBuilder model(18);
  model.input("x", {"1"}).node("Mish", {"x"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(model, {float_tensor({1}, {1})}),
              ElementsAre(FloatNear(0.8650984f, 2e-6f)));
}

TEST(PReluImport, SlopesOfOldAndNewOpsets) {
  ModelBuilder channels(6), numpy(9), larger(9);
  channels.input("x", {"1", "2", "2"}).initialiser("s", float_tensor({2}, {2, 3}));
  channels.node("PRelu", {"x", "s"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(channels, {float_tensor({1, 2, 2}, {-1, 1, -1, 1})}),
              ElementsAre(-2, 1, -3, 1));
  numpy.input("x", {"1", "2", "2"}).initialiser("s", float_tensor({2}, {2, 3}));
  numpy.node("PRelu", {"x", "s"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(numpy, {float_tensor({1, 2, 2}, {-1, -1, -1, 1})}),
              ElementsAre(-2, -3, -2, 1));
  larger.input("x", {"2"}).input("s", {"2", "2"}).node("PRelu", {"x", "s"}, {"y"}).output("y");
  EXPECT_THAT(import_error(larger), HasSubstr("a slope that broadcasts to [2], found [2, 2]"));
}

TEST(ClipImport, BoundsAtRunTime) {
  ModelBuilder model(11);
  model.input("x", {"4"}).input("max", {});
  model.node("Clip", {"x", "", "max"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(model, {counting_tensor({4}), float_tensor({}, {2})}),
              ElementsAre(1, 2, 2, 2));
}

TEST(ClipImport, ConstantBoundsBecomeAttributes) {
  ModelBuilder model(11);
  model.input("x", {"4"}).initialiser("min", float_tensor({1}, {2}));
  model.node("Clip", {"x", "min"}, {"y"}).output("y");
  EXPECT_EQ(import_onnx(model.bytes(), {}).nodes[0].inputs.size(), 1u);
  EXPECT_THAT(run_floats(model, {counting_tensor({4})}), ElementsAre(2, 2, 3, 4));
}

TEST(ClipImport, AttributesBeforeOpset11) {
  ModelBuilder model(6);
  model.input("x", {"4"}).node("Clip", {"x"}, {"y"}).output("y");
  model.with("min", 2.0f).with("max", 3.0f);
  EXPECT_THAT(run_floats(model, {counting_tensor({4})}), ElementsAre(2, 2, 3, 3));
}

TEST(ClipImport, BoundsMustBeScalarsOfTheInputsType) {
  ModelBuilder dims(11), type(11);
  dims.input("x", {"4"}).input("min", {"2"}).node("Clip", {"x", "min"}, {"y"}).output("y");
  EXPECT_THAT(import_error(dims), HasSubstr("expected a scalar"));
  type.input("x", {"4"}).input("min", {}, DType::kInt32).node("Clip", {"x", "min"}, {"y"});
  EXPECT_THAT(import_error(type.output("y")), AllOf(HasSubstr("int32"), HasSubstr("float32")));
}

TEST(ReluImport, IntegersAndNaN) {
  ModelBuilder ints(14), floats(14);
  ints.input("x", {"3"}, DType::kInt32).node("Relu", {"x"}, {"y"}).output("y", DType::kInt32);
  EXPECT_THAT(int32s_of(run_model(ints, {int32_tensor({3}, {-2, 0, 5})})[0]), ElementsAre(0, 0, 5));
  floats.input("x", {"2"}).node("Relu", {"x"}, {"y"}).output("y");
  const auto results = run_floats(floats, {float_tensor({2}, {NAN, -1})});
  EXPECT_TRUE(std::isnan(results[0]));
  EXPECT_EQ(results[1], 0.0f);
}

TEST(SoftmaxImport, AllAxesFromOneOnBeforeOpset13) {
  for (const int64_t opset : {11, 13}) {
    ModelBuilder model(opset);
    model.input("x", {"1", "2", "2"}).node("Softmax", {"x"}, {"y"}).output("y");
    const float each = opset < 13 ? 0.25f : 0.5f;
    EXPECT_THAT(run_floats(model, {float_tensor({1, 2, 2}, {1, 1, 1, 1})}),
                ElementsAre(each, each, each, each));
  }
}

TEST(CastImport, TypesSpelledOutAndSaturate) {
  ModelBuilder old(1), recent(19), strings(13);
  old.input("x", {"2"}).node("Cast", {"x"}, {"y"}).with("to", "INT64").output("y", DType::kInt64);
  EXPECT_THAT(ints_of(run_model(old, {float_tensor({2}, {1.5f, -2.5f})})[0].bytes),
              ElementsAre(1, -2));
  recent.input("x", {"1"}).node("Cast", {"x"}, {"y"}).with("to", 6).with("saturate", 0);
  EXPECT_EQ(import_error(recent.output("y", DType::kInt32)), "");
  strings.input("x", {"1"}).node("Cast", {"x"}, {"y"}).with("to", 8).output("y");
  EXPECT_THAT(import_error(strings), AllOf(HasSubstr("attribute 'to'"), HasSubstr("string")));
}

TEST(CastLikeImport, TakesTheOthersType) {
  ModelBuilder model(19);
  model.input("x", {"2"})
      .input("like", {"3"}, DType::kInt64)
      .node("CastLike", {"x", "like"}, {"y"});
  model.output("y", DType::kInt64);
  const TensorData like = {DType::kInt64, {3}, std::vector<std::byte>(24)};
  EXPECT_THAT(ints_of(run_model(model, {float_tensor({2}, {1.5f, -2.5f}), like})[0].bytes),
              ElementsAre(1, -2));
}

TEST(DropoutImport, MaskIsAllTrue) {
  ModelBuilder old(7), recent(13);
  old.input("x", {"2"}).node("Dropout", {"x"}, {"y", "m"}).with("ratio", 0.5f);
  old.output("y").output("m");
  auto results = run_model(old, {counting_tensor({2})});
  EXPECT_THAT(floats_of(results[0].bytes), ElementsAre(1, 2));
  EXPECT_THAT(floats_of(results[1].bytes), ElementsAre(1, 1));
  recent.input("x", {"2"}).node("Dropout", {"x"}, {"y", "m"}).with("seed", 3);
  recent.output("y").output("m", DType::kBool);
  results = run_model(recent, {counting_tensor({2})});
  EXPECT_THAT(results[1].bytes, ElementsAre(std::byte{1}, std::byte{1}));
}

TEST(DropoutImport, RandomDropoutIsNamed) {
  ModelBuilder model(13);
  model.input("x", {"2"}).initialiser("t", bool_tensor({}, {true}));
  model.node("Dropout", {"x", "", "t"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), HasSubstr("random dropout is not supported"));
  ModelBuilder zero(13);
  zero.input("x", {"2"}).initialiser("t", bool_tensor({}, {true}));
  zero.initialiser("r", float_tensor({}, {0}));
  zero.node("Dropout", {"x", "r", "t"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(zero, {counting_tensor({2})}), ElementsAre(1, 2));
}

ModelBuilder& batch_normalization(ModelBuilder& model, const std::vector<std::string>& dims,
                                  const std::vector<std::string>& outputs) {
  model.input("x", dims);
  const std::string channels = dims.size() > 1 ? dims[1] : "1";
  for (const char* name : {"scale", "bias", "mean", "var"}) model.input(name, {channels});
  return model.node("BatchNormalization", {"x", "scale", "bias", "mean", "var"}, outputs);
}

TEST(BatchNormalizationImport, OldOpsetsAndRankOne) {
  const TensorData one = float_tensor({1}, {1});
  const TensorData zero = float_tensor({1}, {0});
  ModelBuilder old(6), vector(15);
  batch_normalization(old, {"1", "1", "2"}, {"y"}).with("is_test", 1).with("spatial", 1);
  old.with("epsilon", 3.0f).output("y");
  EXPECT_THAT(run_floats(old, {counting_tensor({1, 1, 2}), one, zero, zero, one}),
              ElementsAre(0.5f, 1.0f));
  batch_normalization(vector, {"2"}, {"y"}).with("epsilon", 3.0f).output("y");
  EXPECT_THAT(run_floats(vector, {counting_tensor({2}), one, zero, zero, one}),
              ElementsAre(0.5f, 1.0f));
}

TEST(BatchNormalizationImport, StatisticsOfEachElement) {
  ModelBuilder model(7), wrong(7);
  model.input("x", {"2", "2"});
  for (const char* name : {"scale", "bias", "mean", "var"}) model.input(name, {"2"});
  model.node("BatchNormalization", {"x", "scale", "bias", "mean", "var"}, {"y"});
  model.with("spatial", 0).with("epsilon", 3.0f).output("y");
  const TensorData halves = float_tensor({2}, {1, 6});
  EXPECT_THAT(run_floats(model, {counting_tensor({2, 2}), float_tensor({2}, {2, 4}),
                                 float_tensor({2}, {0, 1}), halves, float_tensor({2}, {1, 13})}),
              ElementsAre(0, -3, 2, -1));
  batch_normalization(wrong, {"1", "1", "2"}, {"y"}).with("spatial", 0).output("y");
  EXPECT_THAT(import_error(wrong), HasSubstr("expected those of [1, 1, 2] without the first"));
}

TEST(BatchNormalizationImport, TrainingUsesTheBatch) {
  ModelBuilder model(15);
  batch_normalization(model, {"2", "1"}, {"y", "m", "v"}).with("training_mode", 1);
  model.with("momentum", 0.5f).with("epsilon", 0.0f).output("y").output("m").output("v");
  const TensorData one = float_tensor({1}, {1});
  const auto results = run_model(model, {float_tensor({2, 1}, {1, 3}), one, float_tensor({1}, {0}),
                                         float_tensor({1}, {0}), one});
  EXPECT_THAT(floats_of(results[0].bytes), ElementsAre(-1, 1));
  EXPECT_THAT(floats_of(results[1].bytes), ElementsAre(1));
  EXPECT_THAT(floats_of(results[2].bytes), ElementsAre(1));
}

TEST(BatchNormalizationImport, TrainingOutputsOfOldOpsetsAreNamed) {
  ModelBuilder model(9);
  batch_normalization(model, {"2", "1"}, {"y", "m"}).output("y");
  EXPECT_THAT(import_error(model), HasSubstr("output 1 ('m') is not supported"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

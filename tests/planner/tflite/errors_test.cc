// Tests what is said of TensorFlow Lite models that are damaged, contradict themselves, or ask for
// more than there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/import/tflite/operators.h"
#include "planner/obstacles.h"
#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string error_of(const std::vector<std::byte>& bytes, bool named_so = false) {
  ImportOptions options;
  options.is_tflite = named_so;
  try {
    import_model(bytes, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TfliteErrors, FilesThatAreNone) {
  const std::vector<std::byte> zeros(64);
  EXPECT_THAT(error_of(zeros, true),
              HasSubstr("not a TensorFlow Lite model: found nothing but zeros"));
  std::vector<std::byte> cut = model_of({19}, {given(counting_tensor({3}))}).bytes();
  cut.resize(cut.size() / 2);
  EXPECT_THAT(error_of(cut), HasSubstr("do not hold the tables of one (truncated or damaged?)"));
}

TEST(TfliteErrors, NumbersOfTensorsAndBuffers) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  model.op(19, {x}, {7});
  model.output(x);
  EXPECT_THAT(tflite_error(model),
              HasSubstr("subgraph 0, operator 0 (RELU): output 0 is tensor 7 of 1"));
  TfliteBuilder bytes;
  const int32_t c = bytes.constant(float_tensor({2}, {1, 2}));
  bytes.set_bytes(c, {1, 2, 3});
  bytes.output(c);
  EXPECT_THAT(tflite_error(bytes), AllOf(HasSubstr("subgraph 0, tensor 0 ('c0')"),
                                         HasSubstr("its buffer holds 3 bytes, expected the 8")));
  TfliteBuilder negative;
  negative.output(negative.input("x", {2, -5}));
  EXPECT_THAT(tflite_error(negative), HasSubstr("tensor 0 ('x')"));
  TfliteBuilder huge;
  huge.output(huge.input("x", {65536, 65536, 4}));
  EXPECT_THAT(tflite_error(huge), HasSubstr("tensor 0 ('x')"));
}

TEST(TfliteErrors, ValuesThatNothingMakesOrTwoMake) {
  TfliteBuilder early;
  const int32_t x = early.input("x", {2});
  const int32_t y = early.tensor("y", {2});
  const int32_t z = early.tensor("z", {2});
  early.op(19, {y}, {z});
  early.op(19, {x}, {y});
  early.output(z);
  EXPECT_THAT(tflite_error(early), HasSubstr("input 0, tensor 1 ('y'), is neither a constant"));
  TfliteBuilder twice;
  const int32_t a = twice.input("a", {2});
  const int32_t b = twice.tensor("b", {2});
  twice.op(19, {a}, {b});
  twice.op(59, {a}, {b});
  twice.output(b);
  EXPECT_THAT(tflite_error(twice), HasSubstr("operator 1 (NEG): output 0, tensor 1 ('b'), is"));
}

TEST(TfliteErrors, OptionsOfAnotherOperator) {
  EXPECT_THAT(
      tflite_error(model_of({25, tfl::BuiltinOptions_AddOptions,
                             made_by<tfl::CreateAddOptions>(tfl::ActivationFunctionType_NONE)},
                            {given(counting_tensor({1, 3}))})),
      HasSubstr("operator 0 (SOFTMAX): its options are of kind 11"));
}

TEST(TfliteErrors, WhatComesLaterIsRefusedByName) {
  const TfliteOperand x = given(counting_tensor({1, 3}));
  EXPECT_THAT(tflite_error(model_of({119}, {x})),
              AllOf(HasSubstr("(WHILE)"), HasSubstr("control flow comes later")));
  EXPECT_THAT(tflite_error(model_of({129}, {x})), HasSubstr("variables come with state, later"));
  EXPECT_THAT(tflite_error(model_of({109}, {x})), HasSubstr("dynamic dims come later"));
  EXPECT_THAT(tflite_error(model_of({300}, {x})), HasSubstr("builtin operator 300"));
  TfliteBuilder custom;
  const int32_t in = custom.input("x", {2});
  const int32_t out = custom.tensor("y", {2});
  custom.custom("Fancy", {in}, {out});
  custom.output(out);
  EXPECT_THAT(tflite_error(custom), HasSubstr("operator 0 (Fancy): operator is not supported"));
}

TEST(TfliteErrors, VariablesAreNamed) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t state = model.tensor("state", {2});
  model.set_variable(state);
  const int32_t y = model.tensor("y", {2});
  model.op(0, {x, state}, {y});
  model.output(y);
  EXPECT_THAT(tflite_error(model),
              HasSubstr("operator 0 (ADD): input 1, tensor 1 ('state'), is a variable: these come "
                        "with state, later"));
}

TEST(TfliteErrors, AllObstaclesAreToldAtOnce) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t a = model.tensor("a", {2});
  const int32_t b = model.tensor("b", {2});
  model.op(118, {x}, {a});
  model.op(68, {x}, {b});
  model.output(a);
  try {
    import_model(model.bytes(), {});
    FAIL();
  } catch (const ObstaclesError& error) {
    ASSERT_EQ(error.obstacles.size(), 2u);
    EXPECT_EQ(error.obstacles[0].op, "IF");
    EXPECT_EQ(error.obstacles[0].instead, "unroll it when converting");
    EXPECT_EQ(error.obstacles[1].node, "SPARSE_TO_DENSE_1");
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

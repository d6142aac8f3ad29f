// Tests TensorFlow Lite's operators that move elements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<float> run_one(const TfliteOp& op, const std::vector<TfliteOperand>& operands) {
  return floats_of(run_op(op, operands)[0].bytes);
}

TEST(TfliteMoving, ConcatenationsAndPacks) {
  const TfliteOperand a = given(float_tensor({1, 2}, {1, 2}));
  const TfliteOperand b = given(float_tensor({1, 2}, {3, -4}));
  EXPECT_THAT(
      run_one({2, tfl::BuiltinOptions_ConcatenationOptions,
               made_by<tfl::CreateConcatenationOptions>(-1, tfl::ActivationFunctionType_RELU)},
              {a, b}),
      ElementsAre(1, 2, 3, 0));
  const auto packed = run_op(
      {83, tfl::BuiltinOptions_PackOptions, made_by<tfl::CreatePackOptions>(2, -1)}, {a, b})[0];
  EXPECT_THAT(packed.dims, ElementsAre(1, 2, 2));
  EXPECT_THAT(floats_of(packed.bytes), ElementsAre(1, 3, 2, -4));
  const auto parts = run_op({88,
                             tfl::BuiltinOptions_UnpackOptions,
                             made_by<tfl::CreateUnpackOptions>(2, -1),
                             {tfl::TensorType_FLOAT32, tfl::TensorType_FLOAT32}},
                            {given(packed)});
  EXPECT_THAT(parts[1].dims, ElementsAre(1, 2));
  EXPECT_THAT(floats_of(parts[1].bytes), ElementsAre(3, -4));
}

TEST(TfliteMoving, Splits) {
  const TfliteOperand x = given(counting_tensor({2, 3}));
  const std::vector<tfl::TensorType> three(3, tfl::TensorType_FLOAT32);
  const auto equal =
      run_op({49, tfl::BuiltinOptions_SplitOptions, made_by<tfl::CreateSplitOptions>(3), three},
             {fixed(int32_tensor({}, {1})), x});
  EXPECT_THAT(floats_of(equal[2].bytes), ElementsAre(3, 6));
  const auto uneven =
      run_op({.code = 102, .outputs = {tfl::TensorType_FLOAT32, tfl::TensorType_FLOAT32}},
             {x, fixed(int32_tensor({2}, {1, -1})), fixed(int32_tensor({}, {-1}))});
  EXPECT_THAT(floats_of(uneven[1].bytes), ElementsAre(2, 3, 5, 6));
}

TEST(TfliteMoving, PadsWithNumbersAndMirrors) {
  const TfliteOperand x = given(counting_tensor({1, 3}));
  const TfliteOperand sides = fixed(int32_tensor({2, 2}, {0, 0, 2, 1}));
  EXPECT_THAT(run_one({34}, {x, sides}), ElementsAre(0, 0, 1, 2, 3, 0));
  EXPECT_THAT(run_one({60}, {x, sides, fixed(float_tensor({}, {9}))}),
              ElementsAre(9, 9, 1, 2, 3, 9));
  const auto mirrored = [&](tfl::MirrorPadMode mode) {
    return run_one(
        {100, tfl::BuiltinOptions_MirrorPadOptions, made_by<tfl::CreateMirrorPadOptions>(mode)},
        {x, sides});
  };
  EXPECT_THAT(mirrored(tfl::MirrorPadMode_REFLECT), ElementsAre(3, 2, 1, 2, 3, 2));
  EXPECT_THAT(mirrored(tfl::MirrorPadMode_SYMMETRIC), ElementsAre(2, 1, 1, 2, 3, 3));
}

TEST(TfliteMoving, TilesBroadcastsFillsAndReverses) {
  const TfliteOperand x = given(counting_tensor({1, 2}));
  EXPECT_THAT(run_one({69}, {x, fixed(int32_tensor({2}, {2, 2}))}),
              ElementsAre(1, 2, 1, 2, 1, 2, 1, 2));
  EXPECT_THAT(run_one({130}, {x, fixed(int32_tensor({2}, {2, 2}))}), ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(run_one({94}, {fixed(int32_tensor({2}, {1, 3})), given(float_tensor({}, {7}))}),
              ElementsAre(7, 7, 7));
  EXPECT_THAT(run_one({105}, {given(counting_tensor({2, 2})), fixed(int32_tensor({1}, {-1}))}),
              ElementsAre(2, 1, 4, 3));
}

TEST(TfliteMoving, Gathers) {
  const TfliteOperand x = given(counting_tensor({2, 3}));
  const auto gathered = [&](int32_t axis, int32_t batches) {
    return TfliteOp{36, tfl::BuiltinOptions_GatherOptions,
                    made_by<tfl::CreateGatherOptions>(axis, batches)};
  };
  const TensorData indices = int32_tensor({2}, {2, 0});
  EXPECT_THAT(run_one(gathered(1, 0), {x, given(indices)}), ElementsAre(3, 1, 6, 4));
  EXPECT_THAT(run_one({7}, {given(int32_tensor({2}, {1, 1})), x}), ElementsAre(4, 5, 6, 4, 5, 6));
}

TEST(TfliteMoving, OneHotNumbersOutsideAreNowhere) {
  const auto hot =
      run_op({85, tfl::BuiltinOptions_OneHotOptions, made_by<tfl::CreateOneHotOptions>(0)},
             {given(int32_tensor({3}, {1, -1, 0})), fixed(int32_tensor({}, {2})),
              fixed(float_tensor({}, {5})), fixed(float_tensor({}, {1}))})[0];
  EXPECT_THAT(hot.dims, ElementsAre(2, 3));
  EXPECT_THAT(floats_of(hot.bytes), ElementsAre(1, 1, 5, 5, 1, 1));
}

TEST(TfliteMoving, ErrorsNameOperandsAndNumbers) {
  const TfliteOperand x = given(counting_tensor({1, 3}));
  EXPECT_THAT(tflite_error(model_of({34}, {x, fixed(int32_tensor({1, 2}, {0, 0}))})),
              HasSubstr("(PAD): paddings holds 2 numbers, expected 4"));
  EXPECT_THAT(tflite_error(model_of({34}, {x, fixed(int32_tensor({2, 2}, {0, 0, -1, 0}))})),
              HasSubstr("paddings of -1 and 0"));
  EXPECT_THAT(tflite_error(model_of({34}, {x, given(int32_tensor({2, 2}, {0, 0, 1, 0}))})),
              HasSubstr("paddings (tensor 1 ('x1')) decides a shape"));
  EXPECT_THAT(tflite_error(model_of({100}, {x, fixed(int32_tensor({2, 2}, {0, 0, 3, 0}))})),
              HasSubstr("are more than dimension 1 of [1, 3] mirrors"));
  EXPECT_THAT(tflite_error(model_of({130}, {x, fixed(int32_tensor({2}, {1, 1}))})),
              HasSubstr("input [1, 3] does not broadcast to [1, 1]"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Tests TensorFlow Lite's operators about shapes, its slices, reductions and matrix products.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int32_t> int32s_of(const TensorData& data) {
  std::vector<int32_t> result(data.bytes.size() / sizeof(int32_t));
  std::memcpy(result.data(), data.bytes.data(), data.bytes.size());
  return result;
}

const std::vector<tfl::TensorType> kInts = {tfl::TensorType_INT32};

TEST(TfliteShaping, ReshapesByOperandAndByOption) {
  const TfliteOperand x = given(counting_tensor({2, 3}));
  EXPECT_THAT(run_op({22}, {x, fixed(int32_tensor({2}, {3, -1}))})[0].dims, ElementsAre(3, 2));
  const TfliteBuilder::Options option = [](flatbuffers::FlatBufferBuilder& b) {
    const std::vector<int32_t> shape = {6};
    return tfl::CreateReshapeOptionsDirect(b, &shape).Union();
  };
  EXPECT_THAT(run_op({22, tfl::BuiltinOptions_ReshapeOptions, option}, {x})[0].dims,
              ElementsAre(6));
  EXPECT_THAT(tflite_error(model_of({22}, {x})), HasSubstr("gives no shape"));
  EXPECT_THAT(tflite_error(model_of({22}, {x, fixed(int32_tensor({1}, {5}))})),
              HasSubstr("[5] holds 5 elements, expected the 6 of [2, 3]"));
}

TEST(TfliteShaping, DimsOfOneComeAndGo) {
  const TfliteOperand x = given(counting_tensor({1, 3, 1}));
  EXPECT_THAT(run_op({43}, {x})[0].dims, ElementsAre(3));
  const TfliteBuilder::Options last = [](flatbuffers::FlatBufferBuilder& b) {
    const std::vector<int32_t> dims = {-1};
    return tfl::CreateSqueezeOptionsDirect(b, &dims).Union();
  };
  EXPECT_THAT(run_op({43, tfl::BuiltinOptions_SqueezeOptions, last}, {x})[0].dims,
              ElementsAre(1, 3));
  EXPECT_THAT(run_op({70}, {x, fixed(int32_tensor({}, {-1}))})[0].dims, ElementsAre(1, 3, 1, 1));
  EXPECT_THAT(run_op({39}, {x, fixed(int32_tensor({3}, {1, 0, 2}))})[0].dims, ElementsAre(3, 1, 1));
}

TEST(TfliteShaping, DimsBecomeNumbers) {
  const TfliteOperand x = given(counting_tensor({2, 3}));
  EXPECT_THAT(int32s_of(run_op({.code = 77, .outputs = kInts}, {x})[0]), ElementsAre(2, 3));
  EXPECT_THAT(int32s_of(run_op({.code = 110, .outputs = kInts}, {x})[0]), ElementsAre(2));
  EXPECT_THAT(int32s_of(run_op({.code = 96, .outputs = kInts},
                               {fixed(int32_tensor({}, {7})), fixed(int32_tensor({}, {0})),
                                fixed(int32_tensor({}, {-3}))})[0]),
              ElementsAre(7, 4, 1));
}

struct SliceCase {
  const char* name;
  std::vector<int32_t> begin, end, step;
  // Masks: begin, end, ellipsis, new axis, shrink axis.
  int32_t masks[5];
  std::vector<uint32_t> dims;
  std::vector<float> elements;
};

// Of [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]].
TEST(TfliteShaping, StridedSlicesByAllMasks) {
  const SliceCase cases[] = {
      {"plain", {0, 1, 0}, {1, 3, 2}, {1, 1, 1}, {}, {1, 2, 2}, {3, 4, 5, 6}},
      {"from the end", {1, -2, 0}, {2, -1, 2}, {1, 1, 1}, {}, {1, 1, 2}, {9, 10}},
      {"edges", {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {2, 3, 0, 0, 0}, {1, 3, 0}, {}},
      {"all of two",
       {0, 0, 1},
       {0, 0, 2},
       {1, 1, 1},
       {3, 3, 0, 0, 0},
       {2, 3, 1},
       {2, 4, 6, 8, 10, 12}},
      {"backwards", {0, 0, 0}, {1, 0, 2}, {1, -2, 1}, {2, 2, 0, 0, 0}, {1, 2, 2}, {5, 6, 1, 2}},
      {"backwards to an end", {0, 2, 0}, {1, 0, 2}, {1, -1, 1}, {}, {1, 2, 2}, {5, 6, 3, 4}},
      {"steps", {0, 0, 0}, {2, 3, 2}, {1, 2, 1}, {}, {2, 2, 2}, {1, 2, 5, 6, 7, 8, 11, 12}},
      {"shrunk", {1, -1, 0}, {0, 0, 2}, {1, 1, 1}, {0, 0, 0, 0, 3}, {2}, {11, 12}},
      {"ellipsis", {0, 1}, {0, 2}, {1, 1}, {0, 0, 1, 0, 2}, {2, 3}, {2, 4, 6, 8, 10, 12}},
      {"ellipsis and new axis",
       {1, 0, 0, 0},
       {2, 0, 0, 1},
       {1, 1, 1, 1},
       {0, 0, 2, 4, 0},
       {1, 3, 1, 1},
       {7, 9, 11}},
      {"new axis first", {0, 1}, {0, 2}, {1, 1}, {0, 0, 0, 1, 2}, {1, 3, 2}, {7, 8, 9, 10, 11, 12}},
  };
  for (const SliceCase& test : cases) {
    const auto count = static_cast<uint32_t>(test.begin.size());
    const TfliteOp op = {
        45, tfl::BuiltinOptions_StridedSliceOptions,
        made_by<tfl::CreateStridedSliceOptions>(test.masks[0], test.masks[1], test.masks[2],
                                                test.masks[3], test.masks[4], false)};
    const TensorData y = run_op(
        op, {given(counting_tensor({2, 3, 2})), fixed(int32_tensor({count}, test.begin)),
             fixed(int32_tensor({count}, test.end)), fixed(int32_tensor({count}, test.step))})[0];
    EXPECT_EQ(y.dims, test.dims) << test.name;
    EXPECT_EQ(floats_of(y.bytes), test.elements) << test.name;
  }
}

TEST(TfliteShaping, SlicesBySize) {
  const TfliteOperand x = given(counting_tensor({2, 3}));
  EXPECT_THAT(floats_of(run_op({65}, {x, fixed(int32_tensor({2}, {0, 1})),
                                      fixed(int32_tensor({2}, {1, -1}))})[0]
                            .bytes),
              ElementsAre(2, 3));
  EXPECT_THAT(tflite_error(model_of(
                  {65}, {x, fixed(int32_tensor({2}, {0, 1})), fixed(int32_tensor({2}, {1, 3}))})),
              HasSubstr("lie outside input [2, 3]"));
}

TEST(TfliteShaping, Reductions) {
  const TfliteOperand x = given(float_tensor({2, 2}, {1, 2, -3, 4}));
  const auto reduced = [&](int32_t code, const std::vector<int32_t>& axes, bool keep) {
    return run_op(
        {code, tfl::BuiltinOptions_ReducerOptions, made_by<tfl::CreateReducerOptions>(keep)},
        {x, fixed(int32_tensor({static_cast<uint32_t>(axes.size())}, axes))})[0];
  };
  EXPECT_THAT(floats_of(reduced(40, {1}, false).bytes), ElementsAre(1.5f, 0.5f));
  EXPECT_THAT(reduced(40, {0, -2}, true).dims, ElementsAre(1, 2));
  EXPECT_THAT(floats_of(reduced(74, {0, 1}, false).bytes), ElementsAre(4));
  EXPECT_THAT(floats_of(reduced(81, {0}, false).bytes), ElementsAre(-3, 8));
  EXPECT_THAT(floats_of(reduced(82, {0}, false).bytes), ElementsAre(1, 4));
  EXPECT_THAT(floats_of(reduced(89, {1}, false).bytes), ElementsAre(1, -3));
  EXPECT_THAT(floats_of(reduced(74, {}, false).bytes), ElementsAre(1, 2, -3, 4));
  const TfliteOperand p = given(bool_tensor({2, 2}, {true, false, true, true}));
  const auto holds = [&](int32_t code) {
    return run_op({.code = code, .outputs = {tfl::TensorType_BOOL}},
                  {p, fixed(int32_tensor({1}, {1}))})[0]
        .bytes;
  };
  EXPECT_THAT(holds(91), ElementsAre(std::byte{1}, std::byte{1}));
  EXPECT_THAT(holds(140), ElementsAre(std::byte{0}, std::byte{1}));
  EXPECT_THAT(
      int32s_of(run_op({.code = 56, .outputs = kInts}, {x, fixed(int32_tensor({1}, {-1}))})[0]),
      ElementsAre(1, 1));
  EXPECT_THAT(ints_of(run_op({.code = 79, .outputs = {tfl::TensorType_INT64}},
                             {x, fixed(int32_tensor({1}, {0}))})[0]
                          .bytes),
              ElementsAre(1, 0));
}

TEST(TfliteShaping, SoftmaxAndLengths) {
  const TfliteOperand x = given(float_tensor({1, 2}, {3, 4}));
  const auto y = floats_of(
      run_op({25, tfl::BuiltinOptions_SoftmaxOptions, made_by<tfl::CreateSoftmaxOptions>(2.0f)},
             {x})[0]
          .bytes);
  EXPECT_NEAR(double{y[1]}, 1 / (1 + std::exp(-2.0)), 1e-6);
  const auto unit = floats_of(run_op({11}, {x})[0].bytes);
  EXPECT_NEAR(unit[0], 0.6f, 1e-6f);
  EXPECT_NEAR(unit[1], 0.8f, 1e-6f);
}

TEST(TfliteShaping, FullyConnectedTakesRowsOfAnyRank) {
  const TfliteOperand x = given(counting_tensor({2, 1, 2}));
  const TfliteOperand weights = fixed(float_tensor({3, 2}, {1, 0, 0, 1, 1, 1}));
  const auto options = [](bool keep) {
    return made_by<tfl::CreateFullyConnectedOptions>(
        tfl::ActivationFunctionType_NONE, tfl::FullyConnectedOptionsWeightsFormat_DEFAULT, keep);
  };
  const TensorData flat =
      run_op({9, tfl::BuiltinOptions_FullyConnectedOptions, options(false)}, {x, weights})[0];
  EXPECT_THAT(flat.dims, ElementsAre(2, 3));
  EXPECT_THAT(floats_of(flat.bytes), ElementsAre(1, 2, 3, 3, 4, 7));
  const TensorData kept =
      run_op({9, tfl::BuiltinOptions_FullyConnectedOptions, options(true)},
             {x, given(weights.data), fixed(float_tensor({3}, {10, 20, 30}))})[0];
  EXPECT_THAT(kept.dims, ElementsAre(2, 1, 3));
  EXPECT_THAT(floats_of(kept.bytes), ElementsAre(11, 22, 33, 13, 24, 37));
}

TEST(TfliteShaping, BatchMatMulTransposesEitherSide) {
  const TfliteOperand a = given(float_tensor({1, 2, 1}, {2, 3}));
  const TfliteOperand b = given(float_tensor({1, 3, 2}, {1, 2, 3, 4, 5, 6}));
  const TensorData y = run_op({126, tfl::BuiltinOptions_BatchMatMulOptions,
                               made_by<tfl::CreateBatchMatMulOptions>(true, true)},
                              {a, b})[0];
  EXPECT_THAT(y.dims, ElementsAre(1, 1, 3));
  EXPECT_THAT(floats_of(y.bytes), ElementsAre(8, 18, 28));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

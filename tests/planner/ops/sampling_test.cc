// Tests importing operators that take images at places or put them together (GridSample,
// AffineGrid, RoiAlign, MaxUnpool, CenterCropPad, Col2Im) and those of signals (DFT, STFT,
// windows).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr double kPi = 3.14159265358979323846;

TEST(GridSampleImport, TheIdentityOfAnAffineGridGivesTheImage) {
  for (const int64_t align : {0, 1}) {
    ModelBuilder model(20);
    model.input("x", {"1", "1", "2", "3", "2"});
    model.initialiser("theta", float_tensor({1, 3, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}));
    model.initialiser("size", int64_tensor({5}, {1, 1, 2, 3, 2}));
    model.node("AffineGrid", {"theta", "size"}, {"g"}).with("align_corners", align);
    model.node("GridSample", {"x", "g"}, {"y"}, "s").output("y");
    model.with("align_corners", align).with("mode", "linear");
    const std::vector<float> expected = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    EXPECT_THAT(run_floats(model, {float_tensor({1, 1, 2, 3, 2}, expected)}),
                Pointwise(FloatNear(2e-5f), expected));
  }
}

TEST(AffineGridImport, MovesAndScalesPlacesOfTheImage) {
  ModelBuilder model(20);
  model.input("theta", {"1", "2", "3"}).initialiser("size", int64_tensor({4}, {1, 5, 1, 2}));
  model.node("AffineGrid", {"theta", "size"}, {"y"}).output("y");
  // x of -0.5 and 0.5, y of 0.
  EXPECT_THAT(run_floats(model, {float_tensor({1, 2, 3}, {2, 9, 1, 4, 9, 3})}),
              ElementsAre(0, 1, 2, 5));
}

TEST(GridSampleImport, Errors) {
  const auto error = [](const std::function<void(ModelBuilder&)>& change, const char* last) {
    ModelBuilder model(16);
    model.input("x", {"1", "1", "4", "4"}).input("g", {"1", "2", "2", last});
    model.node("GridSample", {"x", "g"}, {"y"}).output("y");
    change(model);
    return import_error(model);
  };
  EXPECT_THAT(error([](ModelBuilder&) {}, "3"), HasSubstr("expected an input [N, C, H, W]"));
  EXPECT_THAT(error([](ModelBuilder& m) { m.with("mode", "area"); }, "2"), HasSubstr("'area'"));
  EXPECT_THAT(error([](ModelBuilder& m) { m.with("padding_mode", "wrap"); }, "2"),
              HasSubstr("expected zeros, border or reflection"));
}

TEST(RoiAlignImport, Opset10CountsFromCornersAndTakesNoLessThanAPixel) {
  const auto run = [](int64_t opset) {
    ModelBuilder model(opset);
    model.input("x", {"1", "1", "2", "2"}).input("r", {"1", "4"});
    model.initialiser("b", int64_tensor({1}, {0})).node("RoiAlign", {"x", "r", "b"}, {"y"});
    model.output("y");
    return run_floats(model, {float_tensor({1, 1, 2, 2}, {0, 1, 2, 3}),
                              float_tensor({1, 4}, {0.5f, 0.5f, 0.5f, 0.5f})});
  };
  EXPECT_THAT(run(10), ElementsAre(3));  // one sample at (1, 1)
  EXPECT_THAT(run(16), ElementsAre(0));  // a region of no size has no samples
}

TEST(MaxUnpoolImport, UndoesAPoolAndPutsItInAWantedShape) {
  for (const bool wanted : {false, true}) {
    ModelBuilder model(11);
    model.input("x", {"1", "1", "4"}).initialiser("s", int64_tensor({3}, {1, 1, 6}));
    model.node("MaxPool", {"x"}, {"p", "i"}, "p").with_ints("kernel_shape", {2});
    model.with_ints("strides", {2});
    model.node("MaxUnpool", {"p", "i", wanted ? "s" : ""}, {"y"}, "u").output("y");
    model.with_ints("kernel_shape", {2}).with_ints("strides", {2});
    const std::vector<float> y = run_floats(model, {float_tensor({1, 1, 4}, {1, 5, 7, 2})});
    if (wanted) {
      EXPECT_THAT(y, ElementsAre(0, 5, 7, 0, 0, 0));
    } else {
      EXPECT_THAT(y, ElementsAre(0, 5, 7, 0));
    }
  }
}

TEST(CenterCropPadImport, CropsAndPadsAroundTheMiddle) {
  const auto run = [](const std::vector<int64_t>& shape, const std::vector<int64_t>& axes) {
    ModelBuilder model(18);
    model.input("x", {"2", "3"});
    model.initialiser("s", int64_tensor({static_cast<uint32_t>(shape.size())}, shape));
    model.node("CenterCropPad", {"x", "s"}, {"y"}).output("y");
    if (!axes.empty()) model.with_ints("axes", axes);
    return run_floats(model, {float_tensor({2, 3}, {1, 2, 3, 4, 5, 6})});
  };
  EXPECT_THAT(run({1, 1}, {}), ElementsAre(2));
  EXPECT_THAT(run({2}, {-1}), ElementsAre(1, 2, 4, 5));
  EXPECT_THAT(run({3, 2}, {}), ElementsAre(1, 2, 4, 5, 0, 0));
  EXPECT_THAT(run({6, 1}, {1, 0}), ElementsAre(0, 1, 2, 3, 0, 0));
}

TEST(Col2ImImport, AddsUpBlocksThatOverlap) {
  ModelBuilder model(18);
  model.input("x", {"1", "4", "2"}).initialiser("i", int64_tensor({2}, {2, 3}));
  model.initialiser("b", int64_tensor({2}, {2, 2}));
  model.node("Col2Im", {"x", "i", "b"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(model, {float_tensor({1, 4, 2}, {1, 10, 2, 20, 3, 30, 4, 40})}),
              ElementsAre(1, 12, 20, 3, 34, 40));
  ModelBuilder wrong(18);
  wrong.input("x", {"1", "4", "3"}).initialiser("i", int64_tensor({2}, {2, 3}));
  wrong.initialiser("b", int64_tensor({2}, {2, 2}));
  wrong.node("Col2Im", {"x", "i", "b"}, {"y"}).output("y");
  EXPECT_THAT(import_error(wrong), HasSubstr("[N, C * 4, 2]"));
}

TEST(DftImport, Opset20TakesAnyAxisAndUndoesItself) {
  for (const int64_t axis : {-2, 0, 1}) {
    ModelBuilder model(20);
    model.input("x", {"3", "4", "5", "1"}).initialiser("a", int64_tensor({}, {axis}));
    model.node("DFT", {"x", "", "a"}, {"f"}, "f");
    model.node("DFT", {"f", "", "a"}, {"y"}, "b").with("inverse", 1).output("y");
    const TensorData x = random_tensor({3, 4, 5, 1}, 2);
    std::vector<float> expected(60);
    std::memcpy(expected.data(), x.bytes.data(), x.bytes.size());
    const std::vector<float> y = run_floats(model, {x});
    ASSERT_EQ(y.size(), 120u);
    for (size_t i = 0; i < 60; ++i) {
      EXPECT_NEAR(double{y[2 * i]}, double{expected[i]}, 1e-5);
      EXPECT_NEAR(double{y[2 * i + 1]}, 0, 1e-5);
    }
  }
}

TEST(DftImport, LengthsAndSides) {
  ModelBuilder model(17);
  model.input("x", {"1", "3", "1"}).initialiser("n", int64_tensor({}, {4}));
  model.node("DFT", {"x", "n"}, {"y"}).with("onesided", 1).output("y");
  // 1 + 2z + 3z^2 at z = 1, -i, -1.
  EXPECT_THAT(run_floats(model, {float_tensor({1, 3, 1}, {1, 2, 3})}),
              Pointwise(FloatNear(1e-5f), {6, 0, -2, -2, 2, 0}));
  ModelBuilder complex(17);
  complex.input("x", {"1", "4", "2"}).node("DFT", {"x"}, {"y"}).with("onesided", 1).output("y");
  EXPECT_THAT(import_error(complex), HasSubstr("attribute 'onesided'"));
}

TEST(StftImport, IsTheTransformOfEachWindowedFrame) {
  ModelBuilder model(17);
  model.input("x", {"1", "9"}).initialiser("step", int64_tensor({}, {3}));
  model.initialiser("size", int64_tensor({}, {4}));
  model.node("HannWindow", {"size"}, {"w"}, "h");
  model.node("STFT", {"x", "step", "w"}, {"y"}, "t").with("onesided", 0).output("y");
  const std::vector<float> y = run_floats(model, {counting_tensor({1, 9})});
  ASSERT_EQ(y.size(), 2u * 4 * 2);
  for (size_t frame = 0; frame < 2; ++frame) {
    for (size_t k = 0; k < 4; ++k) {
      double re = 0;
      double im = 0;
      for (size_t i = 0; i < 4; ++i) {
        const double window = 0.5 - 0.5 * std::cos(2 * kPi * static_cast<double>(i) / 4);
        const double value = window * static_cast<double>(frame * 3 + i + 1);
        re += value * std::cos(2 * kPi * static_cast<double>(i * k) / 4);
        im -= value * std::sin(2 * kPi * static_cast<double>(i * k) / 4);
      }
      EXPECT_NEAR(double{y[(frame * 4 + k) * 2]}, re, 1e-4);
      EXPECT_NEAR(double{y[(frame * 4 + k) * 2 + 1]}, im, 1e-4);
    }
  }
}

TEST(WindowImport, SymmetricOnesReachTheirEnds) {
  ModelBuilder model(17);
  model.initialiser("n", int64_tensor({}, {3})).input("x", {"3"});
  model.node("BlackmanWindow", {"n"}, {"w"}, "b").with("periodic", 0);
  model.node("Add", {"x", "w"}, {"y"}, "a").output("y");
  EXPECT_THAT(run_floats(model, {float_tensor({3}, {0, 0, 0})}),
              Pointwise(FloatNear(1e-6f), {0, 1, 0}));
  ModelBuilder run_time(17);
  run_time.input("n", {}, DType::kInt64).node("HammingWindow", {"n"}, {"y"}).output("y");
  EXPECT_THAT(import_error(run_time), HasSubstr("must be constant"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

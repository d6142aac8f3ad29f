// Tests importing convolutions and pools: padding rules, opset forms, errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;

using Dims = std::vector<uint32_t>;

ModelBuilder& conv(ModelBuilder& model) {
  model.input("x", {"1", "1", "4", "4"}).input("w", {"1", "1", "2", "2"});
  return model.node("Conv", {"x", "w"}, {"y"}).output("y");
}

TEST(ConvImport, AutoPadPutsTheOddOneAtTheEndOrTheBeginning) {
  const std::vector<TensorData> inputs = {random_tensor({1, 1, 4, 4}, 1),
                                          random_tensor({1, 1, 2, 2}, 2)};
  ModelBuilder upper(11), upper_pads(11), lower(11), lower_pads(11), valid(11), none(11);
  conv(upper).with("auto_pad", "SAME_UPPER");
  conv(upper_pads).with_ints("pads", {0, 0, 1, 1});
  conv(lower).with("auto_pad", "SAME_LOWER");
  conv(lower_pads).with_ints("pads", {1, 1, 0, 0});
  conv(valid).with("auto_pad", "VALID");
  conv(none);
  EXPECT_EQ(run_floats(upper, inputs), run_floats(upper_pads, inputs));
  EXPECT_EQ(run_floats(lower, inputs), run_floats(lower_pads, inputs));
  EXPECT_EQ(run_floats(valid, inputs), run_floats(none, inputs));
  EXPECT_NE(run_floats(upper, inputs), run_floats(lower, inputs));
}

TEST(ConvImport, OneDimensionIsAHeightOfOne) {
  ModelBuilder line(11), plane(11);
  line.input("x", {"2", "4", "9"}).input("w", {"6", "2", "3"}).input("b", {"6"});
  line.node("Conv", {"x", "w", "b"}, {"y"}).output("y");
  line.with("group", 2)
      .with_ints("strides", {2})
      .with_ints("dilations", {2})
      .with_ints("pads", {1, 3});
  plane.input("x", {"2", "4", "1", "9"}).input("w", {"6", "2", "1", "3"}).input("b", {"6"});
  plane.node("Conv", {"x", "w", "b"}, {"y"}).output("y");
  plane.with("group", 2).with_ints("strides", {1, 2}).with_ints("dilations", {1, 2});
  plane.with_ints("pads", {0, 1, 0, 3});
  const TensorData bias = random_tensor({6}, 3);
  EXPECT_EQ(
      run_floats(line, {random_tensor({2, 4, 9}, 1), random_tensor({6, 2, 3}, 2), bias}),
      run_floats(plane, {random_tensor({2, 4, 1, 9}, 1), random_tensor({6, 2, 1, 3}, 2), bias}));
}

TEST(ConvImport, ThreeDimensions) {
  const auto along_depth = [](const std::function<void(ModelBuilder&)>& change) {
    ModelBuilder model(11);
    model.input("x", {"1", "1", "4", "1", "1"}).input("w", {"1", "1", "2", "1", "1"});
    change(model.node("Conv", {"x", "w"}, {"y"}).output("y"));
    return run_floats(model, {float_tensor({1, 1, 4, 1, 1}, {1, 2, 3, 4}),
                              float_tensor({1, 1, 2, 1, 1}, {1, 10})});
  };
  EXPECT_THAT(along_depth([](auto&) {}), ElementsAre(21, 32, 43));
  EXPECT_THAT(along_depth([](auto& m) {
                m.with_ints("strides", {2, 1, 1}).with_ints("pads", {1, 0, 0, 0, 0, 0});
              }),
              ElementsAre(10, 32));
  EXPECT_THAT(along_depth([](auto& m) { m.with_ints("dilations", {3, 1, 1}); }), ElementsAre(41));
  EXPECT_THAT(along_depth([](auto& m) { m.with("auto_pad", "SAME_UPPER"); }),
              ElementsAre(21, 32, 43, 4));
  // A kernel of one slice sees each slice as an image.
  ModelBuilder volume(11), images(11);
  volume.input("x", {"1", "4", "3", "5", "6"}).input("w", {"6", "2", "1", "3", "2"});
  volume.node("Conv", {"x", "w"}, {"y"}).output("y").with("group", 2);
  volume.with_ints("strides", {1, 2, 1}).with_ints("pads", {0, 1, 0, 0, 0, 1});
  images.input("x", {"3", "4", "5", "6"}).input("w", {"6", "2", "3", "2"});
  images.node("Conv", {"x", "w"}, {"c"}).with("group", 2);
  images.with_ints("strides", {2, 1}).with_ints("pads", {1, 0, 0, 1});
  // As the volume has them: [1, O, D, H, W].
  images.node("Transpose", {"c"}, {"y"}).with_ints("perm", {1, 0, 2, 3}).output("y");
  const TensorData x = random_tensor({3, 4, 5, 6}, 1);
  TensorData turned = x;
  turned.dims = {1, 4, 3, 5, 6};
  constexpr size_t kPlane = 5 * 6 * sizeof(float);
  for (size_t slice = 0; slice < 3; ++slice) {
    for (size_t c = 0; c < 4; ++c) {
      std::memcpy(&turned.bytes[(c * 3 + slice) * kPlane], &x.bytes[(slice * 4 + c) * kPlane],
                  kPlane);
    }
  }
  EXPECT_EQ(run_floats(volume, {turned, random_tensor({6, 2, 1, 3, 2}, 2)}),
            run_floats(images, {x, random_tensor({6, 2, 3, 2}, 2)}));
}

TEST(ConvImport, ErrorsNameWhatWasExpected) {
  ModelBuilder kernel(11), groups(11), rank(11), bias(11), window(11), pad(11);
  conv(kernel).with_ints("kernel_shape", {3, 3});
  EXPECT_THAT(import_error(kernel), AllOf(HasSubstr("attribute 'kernel_shape'"),
                                          HasSubstr("[2, 2]"), HasSubstr("[3, 3]")));
  conv(groups).with("group", 2);
  EXPECT_THAT(import_error(groups), HasSubstr("attribute 'group'"));
  rank.input("x", {"1", "1", "3", "3", "3", "3"}).input("w", {"1", "1", "1", "1", "1", "1"});
  rank.node("Conv", {"x", "w"}, {"y"}).output("y");
  EXPECT_THAT(import_error(rank), HasSubstr("expected an input of rank 3 to 5"));
  bias.input("x", {"1", "1", "4", "4"}).input("w", {"1", "1", "2", "2"}).input("b", {"2"});
  bias.node("Conv", {"x", "w", "b"}, {"y"}).output("y");
  EXPECT_THAT(import_error(bias), HasSubstr("expected bias [1], found [2]"));
  conv(window).with_ints("dilations", {4, 4});
  EXPECT_THAT(import_error(window), HasSubstr("larger than the padded input"));
  conv(pad).with("auto_pad", "SAME");
  EXPECT_THAT(import_error(pad), AllOf(HasSubstr("'auto_pad'"), HasSubstr("'SAME'")));
}

ModelBuilder& conv_transpose(ModelBuilder& model) {
  model.input("x", {"1", "1", "3"}).input("w", {"1", "1", "2"});
  return model.node("ConvTranspose", {"x", "w"}, {"y"}).output("y").with_ints("strides", {2});
}

TEST(ConvTransposeImport, PaddingAndShapes) {
  const auto run = [](const std::function<void(ModelBuilder&)>& change) {
    ModelBuilder model(11);
    change(conv_transpose(model));
    return run_floats(model,
                      {float_tensor({1, 1, 3}, {1, 2, 3}), float_tensor({1, 1, 2}, {1, 10})});
  };
  EXPECT_THAT(run([](auto&) {}), ElementsAre(1, 10, 2, 20, 3, 30));
  EXPECT_THAT(run([](auto& m) { m.with_ints("pads", {1, 2}); }), ElementsAre(10, 2, 20));
  EXPECT_THAT(run([](auto& m) { m.with_ints("output_padding", {1}); }),
              ElementsAre(1, 10, 2, 20, 3, 30, 0));
  // The odd one is cut off at the beginning, or with SAME_UPPER at the end.
  EXPECT_THAT(run([](auto& m) { m.with_ints("output_shape", {5}); }),
              ElementsAre(10, 2, 20, 3, 30));
  EXPECT_THAT(run([](auto& m) {
                m.with_ints("output_shape", {1, 1, 5}).with("auto_pad", "SAME_UPPER");
              }),
              ElementsAre(1, 10, 2, 20, 3));
  EXPECT_THAT(run([](auto& m) { m.with_ints("output_shape", {8}); }),
              ElementsAre(1, 10, 2, 20, 3, 30, 0, 0));
  EXPECT_THAT(run([](auto& m) { m.with("auto_pad", "SAME_LOWER"); }),
              ElementsAre(1, 10, 2, 20, 3, 30));
  EXPECT_THAT(run([](auto& m) { m.with_ints("dilations", {3}); }),
              ElementsAre(1, 0, 2, 10, 3, 20, 0, 30));
}

TEST(ConvTransposeImport, GroupsTakeTheirOwnWeights) {
  for (const bool constant : {true, false}) {
    ModelBuilder model(11);
    const TensorData w = float_tensor({4, 1, 1}, {1, 10, 100, 1000});
    model.input("x", {"1", "4", "1"});
    if (constant) {
      model.initialiser("w", w);
    } else {
      model.input("w", {"4", "1", "1"});
    }
    model.initialiser("b", float_tensor({2}, {0.5f, 0.25f}));
    model.node("ConvTranspose", {"x", "w", "b"}, {"y"}).output("y").with("group", 2);
    std::vector<TensorData> inputs = {float_tensor({1, 4, 1}, {1, 2, 3, 4})};
    if (!constant) inputs.push_back(w);
    EXPECT_THAT(run_floats(model, inputs), ElementsAre(21.5f, 4300.25f));
  }
}

TEST(ConvTransposeImport, ErrorsNameWhatWasExpected) {
  const auto error = [](const std::function<void(ModelBuilder&)>& change) {
    ModelBuilder model(11);
    change(conv_transpose(model));
    return import_error(model);
  };
  EXPECT_THAT(error([](auto& m) { m.with_ints("kernel_shape", {3}); }),
              HasSubstr("attribute 'kernel_shape'"));
  EXPECT_THAT(error([](auto& m) { m.with("group", 2); }), HasSubstr("attribute 'group'"));
  EXPECT_THAT(error([](auto& m) { m.with_ints("pads", {4, 4}); }), HasSubstr("nothing is left"));
  EXPECT_THAT(error([](auto& m) {
                m.with_ints("output_shape", {1, 2});
              }),
              HasSubstr("attribute 'output_shape': expected 1 numbers, found 2"));
}

TEST(PoolImport, CeilModeStartsNoWindowInTheEndPadding) {
  // Without the rule there would be a third window, at 4, wholly in the padding.
  ModelBuilder model(19);
  model.input("x", {"1", "1", "4"}).node("MaxPool", {"x"}, {"y"}).output("y");
  model.with_ints("kernel_shape", {2})
      .with_ints("strides", {2})
      .with_ints("pads", {0, 1})
      .with("ceil_mode", 1);
  EXPECT_THAT(run_floats(model, {counting_tensor({1, 1, 4})}), ElementsAre(2, 4));
}

TEST(PoolImport, AverageCountsOnlyPaddingThatPadsGives) {
  ModelBuilder model(19);
  model.input("x", {"1", "1", "4"}).node("AveragePool", {"x"}, {"y"}).output("y");
  model.with_ints("kernel_shape", {3}).with_ints("strides", {2}).with_ints("pads", {1, 0});
  model.with("ceil_mode", 1).with("count_include_pad", 1);
  EXPECT_THAT(run_floats(model, {counting_tensor({1, 1, 4})}), ElementsAre(1, 3));
}

TEST(PoolImport, AverageWithDilationsOfOpset19) {
  ModelBuilder model(19);
  model.input("x", {"1", "1", "3", "3"}).node("AveragePool", {"x"}, {"y"}).output("y");
  model.with_ints("kernel_shape", {2, 2}).with_ints("dilations", {2, 2});
  EXPECT_THAT(run_floats(model, {counting_tensor({1, 1, 3, 3})}), ElementsAre(5));
}

TEST(PoolImport, IndicesInBothStorageOrders) {
  for (const int order : {0, 1}) {
    ModelBuilder model(12);
    model.input("x", {"1", "1", "2", "3"}).node("MaxPool", {"x"}, {"y", "i"});
    model.with_ints("kernel_shape", {2, 2}).with("storage_order", order);
    model.output("y").output("i", DType::kInt64);
    const auto results = run_model(model, {counting_tensor({1, 1, 2, 3})});
    EXPECT_THAT(floats_of(results[0].bytes), ElementsAre(5, 6));
    // Rows first: 1 * 3 + column; columns first: column * 2 + 1.
    const std::vector<int64_t> expected =
        order == 0 ? std::vector<int64_t>{4, 5} : std::vector<int64_t>{3, 5};
    EXPECT_EQ(ints_of(results[1].bytes), expected);
  }
}

TEST(PoolImport, IndicesAlone) {
  ModelBuilder model(12);
  model.input("x", {"1", "1", "3"}).node("MaxPool", {"x"}, {"", "i"});
  model.with_ints("kernel_shape", {2}).output("i", DType::kInt64);
  const auto results = run_model(model, {counting_tensor({1, 1, 3})});
  EXPECT_THAT(ints_of(results[0].bytes), ElementsAre(1, 2));
}

TEST(PoolImport, Errors) {
  ModelBuilder missing(12), rank(12), pads(12);
  missing.input("x", {"1", "1", "3"}).node("MaxPool", {"x"}, {"y"}).output("y");
  EXPECT_THAT(import_error(missing), HasSubstr("attribute 'kernel_shape': is missing"));
  rank.input("x", {"1", "3"}).node("MaxPool", {"x"}, {"y"}).output("y");
  EXPECT_THAT(import_error(rank.with_ints("kernel_shape", {1})), HasSubstr("rank 3 to 5"));
  pads.input("x", {"1", "1", "3"}).node("MaxPool", {"x"}, {"y"}).output("y");
  pads.with_ints("kernel_shape", {2}).with_ints("pads", {2, 0});
  EXPECT_THAT(import_error(pads), HasSubstr("smaller than the window"));
}

ModelBuilder& lp_pool(ModelBuilder& model) {
  model.input("x", {"1", "1", "4"}).node("LpPool", {"x"}, {"y"}).output("y");
  return model.with_ints("kernel_shape", {2});
}

TEST(LpPoolImport, NormsAndTheirForms) {
  const std::vector<TensorData> x = {float_tensor({1, 1, 4}, {3, -4, -6, 8})};
  ModelBuilder second(11), first(11), old(1), third(11), dilated(18), ceil(18), none(11), half(1);
  lp_pool(second).with_ints("strides", {2});
  EXPECT_THAT(run_floats(second, x), ElementsAre(5, 10));
  lp_pool(first).with_ints("strides", {2}).with("p", 1);
  EXPECT_THAT(run_floats(first, x), ElementsAre(7, 14));
  lp_pool(old).with_ints("strides", {2}).with("p", 1.0f);
  EXPECT_THAT(run_floats(old, x), ElementsAre(7, 14));
  lp_pool(third).with_ints("strides", {2}).with("p", 3);
  EXPECT_THAT(run_floats(third, x),
              ElementsAre(FloatEq(std::cbrt(91.0f)), FloatEq(std::cbrt(728.0f))));
  lp_pool(dilated).with_ints("dilations", {2});
  EXPECT_THAT(run_floats(dilated, x),
              ElementsAre(FloatEq(std::sqrt(45.0f)), FloatEq(std::sqrt(80.0f))));
  lp_pool(ceil).with_ints("strides", {2}).with("ceil_mode", 1).with_ints("pads", {1, 0});
  EXPECT_THAT(run_floats(ceil, x), ElementsAre(3, FloatEq(std::sqrt(52.0f)), 8));
  EXPECT_THAT(import_error(lp_pool(none).with("p", 0)), HasSubstr("attribute 'p'"));
  EXPECT_THAT(import_error(lp_pool(half).with("p", 1.5f)), HasSubstr("only whole numbers"));
}

TEST(LpPoolImport, TwoAndThreeDimensions) {
  ModelBuilder plane(11), volume(11);
  plane.input("x", {"1", "1", "2", "2"}).node("LpPool", {"x"}, {"y"}).output("y");
  plane.with_ints("kernel_shape", {2, 2}).with("auto_pad", "SAME_UPPER");
  EXPECT_THAT(run_floats(plane, {float_tensor({1, 1, 2, 2}, {1, 4, 2, 2})}),
              ElementsAre(5, FloatEq(std::sqrt(20.0f)), FloatEq(std::sqrt(8.0f)), 2));
  volume.input("x", {"1", "1", "1", "2", "2"}).node("LpPool", {"x"}, {"y"}).output("y");
  volume.with_ints("kernel_shape", {1, 2, 2});
  EXPECT_THAT(run_floats(volume, {float_tensor({1, 1, 1, 2, 2}, {1, 4, 2, 2})}), ElementsAre(5));
}

TEST(LpPoolImport, OverAllOfTheImage) {
  for (const int p : {1, 2, 3}) {
    ModelBuilder model(2);
    model.input("x", {"1", "2", "2", "2"}).node("GlobalLpPool", {"x"}, {"y"}).output("y");
    model.with("p", p);
    const float first = p == 1 ? 10.0f : p == 2 ? std::sqrt(30.0f) : std::cbrt(100.0f);
    EXPECT_THAT(run_floats(model, {float_tensor({1, 2, 2, 2}, {1, -2, 3, -4, 0, 0, -5, 0})}),
                ElementsAre(FloatEq(first), FloatEq(5)));
  }
  ModelBuilder rank(2);
  rank.input("x", {"1", "2"}).node("GlobalLpPool", {"x"}, {"y"}).with("p", 3).output("y");
  EXPECT_THAT(import_error(rank), HasSubstr("rank 3 or more"));
}

TEST(PoolImport, GlobalAverageOverOneAndThreeDimensions) {
  ModelBuilder line(1), volume(1);
  line.input("x", {"1", "2", "3"}).node("GlobalAveragePool", {"x"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(line, {counting_tensor({1, 2, 3})}), ElementsAre(2, 5));
  volume.input("x", {"1", "1", "2", "2", "2"}).node("GlobalAveragePool", {"x"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(volume, {counting_tensor({1, 1, 2, 2, 2})}), ElementsAre(4.5f));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

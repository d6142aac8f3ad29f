// Tests importing views and constants: Reshape, Squeeze, Shape, Constant and the like.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Dims = std::vector<uint32_t>;

Dims output_dims(const ModelBuilder& model) {
  const Graph graph = import_onnx(model.bytes(), {});
  return graph.values[graph.outputs[0]].dims;
}

TEST(ReshapeImport, AttributeOfOpset1) {
  ModelBuilder model(1);
  model.input("x", {"2", "3", "4"}).node("Reshape", {"x"}, {"y"}).output("y");
  model.with_ints("shape", {0, -1});
  EXPECT_EQ(output_dims(model), (Dims{2, 12}));
}

std::string reshape_error(const std::vector<int64_t>& shape) {
  ModelBuilder model(13);
  model.input("x", {"2", "3"});
  model.initialiser("s", int64_tensor({static_cast<uint32_t>(shape.size())}, shape));
  model.node("Reshape", {"x", "s"}, {"y"}).output("y");
  return import_error(model);
}

TEST(ReshapeImport, Errors) {
  EXPECT_THAT(reshape_error({4}), AllOf(HasSubstr("[4]"), HasSubstr("expected the 6")));
  EXPECT_THAT(reshape_error({4, -1}), HasSubstr("does not divide the 6 elements"));
  EXPECT_THAT(reshape_error({-1, -1}), HasSubstr("is no shape"));
  EXPECT_THAT(reshape_error({2, 3, 0}), HasSubstr("no dimension to keep"));
  EXPECT_THAT(reshape_error({-2}), HasSubstr("is no shape"));
  EXPECT_THAT(reshape_error({1, 1, 1, 1, 1, 1, 1, 1, 6}), HasSubstr("rank 9"));
  const int64_t large = 1 << 30;
  EXPECT_THAT(reshape_error({large, large, large, -1}), HasSubstr("expected the 6"));
}

TEST(SqueezeImport, WithAndWithoutAxes) {
  ModelBuilder all(11), one(13), wrong(13);
  all.input("x", {"1", "2", "1"}).node("Squeeze", {"x"}, {"y"}).output("y");
  EXPECT_EQ(output_dims(all), Dims{2});
  one.input("x", {"1", "2", "1"}).initialiser("a", int64_tensor({1}, {-1}));
  one.node("Squeeze", {"x", "a"}, {"y"}).output("y");
  EXPECT_EQ(output_dims(one), (Dims{1, 2}));
  wrong.input("x", {"1", "2"}).initialiser("a", int64_tensor({1}, {1}));
  wrong.node("Squeeze", {"x", "a"}, {"y"}).output("y");
  EXPECT_THAT(import_error(wrong), HasSubstr("axis 1 of [1, 2] is 2, expected 1"));
}

TEST(UnsqueezeImport, AttributeForm) {
  ModelBuilder model(11), deep(11);
  model.input("x", {"2"}).node("Unsqueeze", {"x"}, {"y"}).with_ints("axes", {0, -1}).output("y");
  EXPECT_EQ(output_dims(model), (Dims{1, 2, 1}));
  deep.input("x", {"2"}).node("Unsqueeze", {"x"}, {"y"}).output("y");
  deep.with_ints("axes", {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_THAT(import_error(deep), HasSubstr("rank 9"));
}

TEST(FlattenImport, EveryAxis) {
  for (const int64_t axis : {0, 1, 2, 3, -1, -3}) {
    ModelBuilder model(13);
    model.input("x", {"2", "3", "4"}).node("Flatten", {"x"}, {"y"}).with("axis", axis).output("y");
    const std::vector<Dims> expected = {{1, 24}, {2, 12}, {6, 4}, {24, 1}};
    EXPECT_EQ(output_dims(model), expected[static_cast<size_t>(axis < 0 ? axis + 3 : axis)]);
  }
}

TEST(TransposeImport, PermutationIsChecked) {
  for (const std::vector<int64_t>& perm :
       {std::vector<int64_t>{0}, std::vector<int64_t>{0, 0}, std::vector<int64_t>{0, 2},
        std::vector<int64_t>{-1, 0}}) {
    ModelBuilder model(13);
    model.input("x", {"2", "3"})
        .node("Transpose", {"x"}, {"y"})
        .with_ints("perm", perm)
        .output("y");
    EXPECT_THAT(import_error(model), HasSubstr("attribute 'perm'"));
  }
}

TEST(ShapeImport, StartAndEndOfOpset15) {
  ModelBuilder model(15);
  model.input("x", {"2", "3", "4"}).node("Shape", {"x"}, {"y"}).output("y", DType::kInt64);
  model.with("start", -2).with("end", 100);
  EXPECT_THAT(ints_of(run_model(model, {counting_tensor({2, 3, 4})})[0].bytes), ElementsAre(3, 4));
}

TEST(SizeImport, IsKnown) {
  ModelBuilder model(13);
  model.input("x", {"2", "3", "4"}).node("Size", {"x"}, {"y"}).output("y", DType::kInt64);
  EXPECT_THAT(ints_of(run_model(model, {counting_tensor({2, 3, 4})})[0].bytes), ElementsAre(24));
}

TEST(ConstantImport, EveryForm) {
  ModelBuilder model(13);
  model.node("Constant", {}, {"a"}).with("value", counting_tensor({2})).output("a");
  model.node("Constant", {}, {"b"}).with("value_float", 1.5f).output("b");
  model.node("Constant", {}, {"c"}).with_floats("value_floats", {1, 2}).output("c");
  model.node("Constant", {}, {"d"}).with("value_int", 7).output("d", DType::kInt64);
  model.node("Constant", {}, {"e"}).with_ints("value_ints", {8, 9}).output("e", DType::kInt64);
  const auto results = run_model(model, {});
  EXPECT_THAT(floats_of(results[0].bytes), ElementsAre(1, 2));
  EXPECT_THAT(floats_of(results[1].bytes), ElementsAre(1.5f));
  EXPECT_EQ(results[1].dims, Dims{});
  EXPECT_THAT(floats_of(results[2].bytes), ElementsAre(1, 2));
  EXPECT_THAT(ints_of(results[3].bytes), ElementsAre(7));
  EXPECT_THAT(ints_of(results[4].bytes), ElementsAre(8, 9));
}

TEST(ConstantImport, Errors) {
  ModelBuilder text(13), none(13);
  text.node("Constant", {}, {"y"}).with("value_string", "a").output("y");
  EXPECT_THAT(import_error(text), HasSubstr("attribute 'value_string'"));
  none.node("Constant", {}, {"y"}).output("y");
  EXPECT_THAT(import_error(none), HasSubstr("has 0 attributes"));
}

TEST(ConstantOfShapeImport, ValueMustBeOneElement) {
  ModelBuilder model(13);
  model.initialiser("s", int64_tensor({1}, {3}));
  model.node("ConstantOfShape", {"s"}, {"y"}).with("value", counting_tensor({2})).output("y");
  EXPECT_THAT(import_error(model), HasSubstr("expected a tensor of one element"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

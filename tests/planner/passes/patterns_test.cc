// Tests the passes that turn several nodes into one operator: the ways in which exporters write
// them, and what must stay as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/passes/passes.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

// The operators that are left, the graph's results being checked to stay.
std::vector<Op> ops_of(const ModelBuilder& model, const std::vector<TensorData>& inputs) {
  run_model(model, inputs);
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  std::vector<Op> ops;
  for (const Node& node : graph.nodes) ops.push_back(node.op);
  return ops;
}
using Ops = std::vector<Op>;

TensorData number(float value) { return float_tensor({}, {value}); }

// y = (x - mean) / sqrt(mean of squares + epsilon) * scale + bias.
enum class Variant { kDivision, kReciprocal, kPower, kTwoDifferences, kSquareByMul };

ModelBuilder& layer(ModelBuilder& model, Variant variant) {
  model.input("x", {"3", "8"}).initializer("two", number(2)).initializer("e", number(1e-3f));
  model.initializer("s", random_tensor({8}, 1)).initializer("b", random_tensor({8}, 2));
  model.node("ReduceMean", {"x"}, {"m"}).with_ints("axes", {-1}).node("Sub", {"x", "m"}, {"d"});
  std::string of = "d";
  if (variant == Variant::kTwoDifferences) model.node("Sub", {"x", "m"}, {of = "d2"});
  if (variant == Variant::kSquareByMul) {
    model.node("Mul", {of, of}, {"q"});
  } else {
    model.node("Pow", {of, "two"}, {"q"});
  }
  model.node("ReduceMean", {"q"}, {"v"}).with_ints("axes", {-1}).node("Add", {"e", "v"}, {"a"});
  if (variant == Variant::kPower) {
    model.initializer("p", number(-0.5f)).node("Pow", {"a", "p"}, {"r"});
    model.node("Mul", {"r", "d"}, {"n"});
  } else if (variant == Variant::kReciprocal) {
    model.node("Sqrt", {"a"}, {"q2"}).node("Reciprocal", {"q2"}, {"r"});
    model.node("Mul", {"d", "r"}, {"n"});
  } else {
    model.node("Sqrt", {"a"}, {"q2"}).node("Div", {"d", "q2"}, {"n"});
  }
  return model.node("Mul", {"s", "n"}, {"z"}).node("Add", {"z", "b"}, {"y"}).output("y");
}

TEST(FuseNormalization, TakesEachWayToWriteIt) {
  for (const Variant variant : {Variant::kDivision, Variant::kReciprocal, Variant::kPower,
                                Variant::kTwoDifferences, Variant::kSquareByMul}) {
    ModelBuilder model(13);
    EXPECT_EQ(ops_of(layer(model, variant), {random_tensor({3, 8}, 3)}), Ops{Op::kNormalize})
        << static_cast<int>(variant);
  }
}

TEST(FuseNormalization, CanBeSwitchedOff) {
  ModelBuilder model(13);
  Graph graph = import_onnx(layer(model, Variant::kDivision).bytes(), {});
  optimize(graph, std::vector<std::string>{"fuse_normalization"});
  EXPECT_EQ(count_ops(graph, Op::kNormalize), 0u);
}

TEST(FuseNormalization, RootMeanSquareHasNoMean) {
  ModelBuilder model(13);
  model.input("x", {"3", "8"}).initializer("two", number(2)).initializer("e", number(1e-3f));
  model.initializer("s", random_tensor({8}, 1)).node("Pow", {"x", "two"}, {"q"});
  model.node("ReduceMean", {"q"}, {"v"}).with_ints("axes", {-1}).node("Add", {"v", "e"}, {"a"});
  model.node("Sqrt", {"a"}, {"r"}).node("Div", {"x", "r"}, {"n"});
  model.node("Mul", {"n", "s"}, {"y"}).output("y");
  EXPECT_EQ(ops_of(model, {random_tensor({3, 8}, 3)}), Ops{Op::kNormalize});
}

TEST(FuseNormalization, LeavesWhatOthersRead) {
  ModelBuilder model(13);
  layer(model, Variant::kDivision).output("m");
  const std::vector<Op> ops = ops_of(model, {random_tensor({3, 8}, 3)});
  EXPECT_EQ(std::count(ops.begin(), ops.end(), Op::kNormalize), 0);
  ModelBuilder scaled(13);
  layer(scaled, Variant::kDivision).output("n");
  EXPECT_EQ(ops_of(scaled, {random_tensor({3, 8}, 3)}), (Ops{Op::kNormalize, Op::kMul, Op::kAdd}));
}

TEST(FuseNormalization, OtherAxesOrOtherMeansAreNoNormalization) {
  ModelBuilder model(13);
  model.input("x", {"3", "8"}).initializer("e", number(1e-3f));
  model.node("ReduceMean", {"x"}, {"m"}).with_ints("axes", {0}).node("Sub", {"x", "m"}, {"d"});
  model.node("Mul", {"d", "d"}, {"q"}).node("ReduceMean", {"q"}, {"v"}).with_ints("axes", {1});
  model.node("Add", {"v", "e"}, {"a"}).node("Sqrt", {"a"}, {"r"}).node("Div", {"d", "r"}, {"y"});
  // The norm of the differences is the root of their mean square.
  EXPECT_EQ(ops_of(model.output("y"), {random_tensor({3, 8}, 3)}),
            (Ops{Op::kReduceMean, Op::kSub, Op::kNormalize}));
}

ModelBuilder& input_for_gelu(ModelBuilder& model) {
  model.input("x", {"2", "5"}).initializer("half", number(0.5f)).initializer("one", number(1));
  return model.initializer("root", number(1.41421356f));
}

TEST(FuseGelu, TakesEachOrderOfProducts) {
  ModelBuilder behind(13), before(13), inside(13);
  input_for_gelu(behind).node("Div", {"x", "root"}, {"i"}).node("Erf", {"i"}, {"t"});
  behind.node("Add", {"t", "one"}, {"a"}).node("Mul", {"x", "a"}, {"p"});
  behind.node("Mul", {"p", "half"}, {"y"}).output("y");
  input_for_gelu(before).node("Div", {"x", "root"}, {"i"}).node("Erf", {"i"}, {"t"});
  before.node("Add", {"one", "t"}, {"a"}).node("Mul", {"x", "half"}, {"h"});
  before.node("Mul", {"h", "a"}, {"y"}).output("y");
  inside.initializer("c", number(0.70710678f));
  input_for_gelu(inside).node("Mul", {"c", "x"}, {"i"}).node("Erf", {"i"}, {"t"});
  inside.node("Add", {"t", "one"}, {"a"}).node("Mul", {"a", "half"}, {"h"});
  inside.node("Mul", {"h", "x"}, {"y"}).output("y");
  for (const ModelBuilder* model : {&behind, &before, &inside}) {
    EXPECT_EQ(ops_of(*model, {random_tensor({2, 5}, 3)}), Ops{Op::kGelu});
  }
}

TEST(FuseGelu, TakesTheApproximationByTanh) {
  ModelBuilder cubes(13), squares(13);
  for (ModelBuilder* model : {&cubes, &squares}) {
    input_for_gelu(*model).initializer("k", number(0.7978845608f));
    model->initializer("c", number(0.044715f)).initializer("three", number(3));
  }
  cubes.node("Pow", {"x", "three"}, {"x3"}).node("Mul", {"c", "x3"}, {"m"});
  cubes.node("Add", {"x", "m"}, {"s"}).node("Mul", {"k", "s"}, {"i"}).node("Tanh", {"i"}, {"t"});
  squares.node("Mul", {"x", "x"}, {"x2"}).node("Mul", {"x2", "c"}, {"m"});
  squares.node("Add", {"m", "one"}, {"s"}).node("Mul", {"x", "k"}, {"kx"});
  squares.node("Mul", {"kx", "s"}, {"i"}).node("Tanh", {"i"}, {"t"});
  for (ModelBuilder* model : {&cubes, &squares}) {
    model->node("Add", {"t", "one"}, {"a"}).node("Mul", {"a", "half"}, {"h"});
    model->node("Mul", {"x", "h"}, {"y"}).output("y");
    EXPECT_EQ(ops_of(*model, {random_tensor({2, 5}, 3)}), Ops{Op::kGelu});
  }
}

TEST(FuseGelu, TakesSwishAndItsKin) {
  ModelBuilder swish(13), hard(13), mish(13), sigmoid(13);
  swish.input("x", {"2", "5"}).initializer("a", number(1.702f)).node("Mul", {"x", "a"}, {"i"});
  swish.node("Sigmoid", {"i"}, {"t"}).node("Mul", {"x", "t"}, {"y"}).output("y");
  EXPECT_EQ(ops_of(swish, {random_tensor({2, 5}, 3)}), Ops{Op::kSwish});
  for (ModelBuilder* model : {&hard, &sigmoid}) {
    model->input("x", {"2", "5"}).initializer("three", number(3)).initializer("six", number(6));
    model->initializer("zero", number(0)).node("Add", {"x", "three"}, {"i"});
    model->node("Clip", {"i", "zero", "six"}, {"t"});
  }
  hard.node("Mul", {"x", "t"}, {"p"}).node("Div", {"p", "six"}, {"y"}).output("y");
  EXPECT_EQ(ops_of(hard, {random_tensor({2, 5}, 3)}), Ops{Op::kHardSwish});
  sigmoid.node("Div", {"t", "six"}, {"y"}).output("y");
  EXPECT_EQ(ops_of(sigmoid, {random_tensor({2, 5}, 3)}), Ops{Op::kHardSigmoid});
  mish.input("x", {"2", "5"}).node("Softplus", {"x"}, {"i"}).node("Tanh", {"i"}, {"t"});
  mish.node("Mul", {"x", "t"}, {"y"}).output("y");
  EXPECT_EQ(ops_of(mish, {random_tensor({2, 5}, 3)}), Ops{Op::kMish});
}

TEST(FuseGelu, LeavesOtherFactorsAndOtherReaders) {
  ModelBuilder factor(13), read(13);
  input_for_gelu(factor).node("Div", {"x", "root"}, {"i"}).node("Erf", {"i"}, {"t"});
  factor.node("Add", {"t", "half"}, {"a"}).node("Mul", {"x", "a"}, {"p"});
  factor.node("Mul", {"p", "half"}, {"y"}).output("y");
  const Ops ops = ops_of(factor, {random_tensor({2, 5}, 3)});
  EXPECT_EQ(std::count(ops.begin(), ops.end(), Op::kGelu), 0);
  read.input("x", {"2", "5"}).node("Sigmoid", {"x"}, {"t"}).node("Mul", {"x", "t"}, {"y"});
  EXPECT_EQ(ops_of(read.output("y").output("t"), {random_tensor({2, 5}, 3)}),
            (Ops{Op::kSigmoid, Op::kMul}));
}

// y = softmax(scale * q * k^T) * v over heads, as exporters write it: [N, L, H, D] is transposed.
ModelBuilder& heads(ModelBuilder& model) {
  for (const char* name : {"q", "k", "v"}) model.input(name, {"1", "12", "2", "4"});
  model.node("Transpose", {"q"}, {"qt"}).with_ints("perm", {0, 2, 1, 3});
  model.node("Transpose", {"k"}, {"kt"}).with_ints("perm", {0, 2, 3, 1});
  return model.node("Transpose", {"v"}, {"vt"}).with_ints("perm", {0, 2, 1, 3});
}

std::vector<TensorData> heads_data() {
  return {random_tensor({1, 12, 2, 4}, 1), random_tensor({1, 12, 2, 4}, 2),
          random_tensor({1, 12, 2, 4}, 3)};
}

size_t attentions_in(const ModelBuilder& model) {
  const std::vector<Op> ops = ops_of(model, heads_data());
  return static_cast<size_t>(std::count(ops.begin(), ops.end(), Op::kAttention));
}

TEST(FuseAttention, TakesScaleBehindOrBefore) {
  ModelBuilder behind(13), before(13);
  heads(behind).initializer("s", number(2)).node("MatMul", {"qt", "kt"}, {"a"});
  behind.node("Div", {"a", "s"}, {"b"}).node("Softmax", {"b"}, {"p"});
  behind.node("MatMul", {"p", "vt"}, {"y"}).output("y");
  EXPECT_EQ(attentions_in(behind), 1u);
  heads(before).initializer("s", number(0.7f)).node("Mul", {"qt", "s"}, {"qs"});
  before.node("Mul", {"s", "kt"}, {"ks"}).node("MatMul", {"qs", "ks"}, {"a"});
  before.node("Softmax", {"a"}, {"p"}).node("MatMul", {"p", "vt"}, {"y"}).output("y");
  EXPECT_EQ(attentions_in(before), 1u);
  EXPECT_EQ(ops_of(before, heads_data()).size(), 5u);  // three transposes, one of them back
}

TEST(FuseAttention, TakesACausalMaskAndNoOther) {
  for (const bool causal : {true, false}) {
    ModelBuilder model(13);
    std::vector<float> mask;
    for (size_t i = 0; i < 144; ++i) mask.push_back(i % 12 > i / 12 ? -3e38f : 0.0f);
    if (!causal) mask[1] = 0;
    heads(model).initializer("m", float_tensor({12, 12}, mask)).node("MatMul", {"qt", "kt"}, {"a"});
    model.node("Add", {"a", "m"}, {"b"}).node("Softmax", {"b"}, {"p"});
    model.node("MatMul", {"p", "vt"}, {"y"}).output("y");
    EXPECT_EQ(attentions_in(model), causal ? 1u : 0u);
  }
}

TEST(FuseAttention, LeavesFewScores) {
  ModelBuilder model(13);
  for (const char* name : {"q", "k", "v"}) model.input(name, {"2", "4", "4"});
  model.node("Transpose", {"k"}, {"kt"}).with_ints("perm", {0, 2, 1});
  model.node("MatMul", {"q", "kt"}, {"a"}).node("Softmax", {"a"}, {"p"});
  model.node("MatMul", {"p", "v"}, {"y"}).output("y");
  const TensorData x = random_tensor({2, 4, 4}, 1);
  EXPECT_EQ(ops_of(model, {x, x, x}).size(), 4u);
}

TEST(FuseAttention, LeavesSharesThatOthersRead) {
  ModelBuilder model(13), axis(13);
  heads(model).node("MatMul", {"qt", "kt"}, {"a"}).node("Softmax", {"a"}, {"p"});
  model.node("MatMul", {"p", "vt"}, {"y"}).output("y").output("p");
  EXPECT_EQ(attentions_in(model), 0u);
  heads(axis).node("MatMul", {"qt", "kt"}, {"a"}).node("Softmax", {"a"}, {"p"}).with("axis", 2);
  axis.node("MatMul", {"p", "vt"}, {"y"}).output("y");
  EXPECT_EQ(attentions_in(axis), 0u);
}

TEST(FuseTransposes, CancelsPairsAlsoAroundElementwiseNodes) {
  ModelBuilder pair(13), around(13), other(13);
  pair.input("x", {"2", "3", "4"}).node("Transpose", {"x"}, {"a"}).with_ints("perm", {2, 0, 1});
  pair.node("Transpose", {"a"}, {"b"}).with_ints("perm", {1, 2, 0}).node("Neg", {"b"}, {"y"});
  EXPECT_EQ(ops_of(pair.output("y"), {random_tensor({2, 3, 4}, 1)}), Ops{Op::kNeg});
  around.input("x", {"2", "3", "4"}).input("z", {"2", "3", "4"}).initializer("two", number(2));
  around.node("Transpose", {"x"}, {"a"}).with_ints("perm", {0, 2, 1});
  around.node("Transpose", {"z"}, {"c"}).with_ints("perm", {0, 2, 1});
  around.node("Mul", {"a", "two"}, {"d"}).node("Add", {"d", "c"}, {"e"}).node("Exp", {"e"}, {"f"});
  around.node("Transpose", {"f"}, {"y"}).with_ints("perm", {0, 2, 1}).output("y");
  EXPECT_EQ(ops_of(around, {random_tensor({2, 3, 4}, 1), random_tensor({2, 3, 4}, 2)}),
            (Ops{Op::kMul, Op::kAdd, Op::kExp}));
  // A value that is read in the other order too stays.
  other.input("x", {"2", "3"}).node("Transpose", {"x"}, {"a"}).node("Exp", {"a"}, {"e"});
  other.node("Transpose", {"e"}, {"y"}).output("y").output("e");
  EXPECT_EQ(ops_of(other, {random_tensor({2, 3}, 1)}),
            (Ops{Op::kTranspose, Op::kExp, Op::kTranspose}));
}

// A file may hold any number of nodes: looking through them must not take a call for each.
TEST(FuseTransposes, LongChainsAreLeftAlone) {
  constexpr int kNodes = 100000;
  ModelBuilder model(13);
  model.input("x", {"2", "3"}).node("Transpose", {"x"}, {"v0"});
  for (int i = 0; i < kNodes; ++i) {
    model.node("Neg", {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
  }
  model.node("Transpose", {"v" + std::to_string(kNodes)}, {"y"}).output("y");
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  EXPECT_EQ(graph.nodes.size(), size_t{kNodes} + 2);
}

TEST(ReducePowers, BecomeProductsAndReciprocals) {
  const auto ops_of_power = [](const TensorData& exponent) {
    ModelBuilder model(13);
    model.input("x", {"3", "8"}).initializer("p", exponent).node("Pow", {"x", "p"}, {"y"});
    model.output("y");
    return ops_of(model, {random_tensor({3, 8}, 3)});
  };
  EXPECT_EQ(ops_of_power(number(2)), Ops{Op::kMul});
  EXPECT_EQ(ops_of_power(float_tensor({1, 1}, {3})), (Ops{Op::kMul, Op::kMul}));
  EXPECT_EQ(ops_of_power(number(-1)), Ops{Op::kReciprocal});
  EXPECT_EQ(ops_of_power(number(4)), Ops{Op::kPow});
  // Dims of its own, or several exponents.
  EXPECT_EQ(ops_of_power(float_tensor({2, 1, 1}, {2, 2})), Ops{Op::kPow});
  EXPECT_EQ(ops_of_power(float_tensor({1, 1, 1}, {2})), Ops{Op::kPow});
}

// The dims of the indices that are left.
Dims dims_of_indices(const ModelBuilder& model, const std::vector<TensorData>& inputs) {
  run_model(model, inputs);
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  return graph.values[graph.nodes.at(0).inputs.at(1)].dims;
}

TEST(ShortenIndices, NameRowsOnly) {
  const auto scattered = [](const TensorData& places, const char* reduction = "none") {
    ModelBuilder model(18);
    std::vector<std::string> updates;
    std::vector<uint32_t> dims(places.dims.begin(), places.dims.end() - 1);
    for (uint32_t d = places.dims.back(); d < 3; ++d) dims.push_back(d == 1 ? 4 : 2);
    for (const uint32_t dim : dims) updates.push_back(std::to_string(dim));
    model.input("x", {"3", "4", "2"}).input("u", updates).initializer("p", places);
    model.node("ScatterND", {"x", "p", "u"}, {"y"}).with("reduction", reduction);
    model.output("y");
    return dims_of_indices(model, {random_tensor({3, 4, 2}, 3), random_tensor(dims, 4)});
  };
  // x[1:, 3], element by element, and x[2].
  const TensorData ends = int64_tensor({2, 1, 2, 3}, {1, 3, 0, 1, 3, 1, 2, 3, 0, 2, 3, 1});
  EXPECT_TRUE(always(scattered(ends) == Dims({2, 1, 2})));
  EXPECT_TRUE(always(scattered(ends, "add") == Dims({2, 1, 2})));
  const TensorData row = int64_tensor({4, 2}, {2, 0, 2, 1, 2, 2, 2, 3});
  EXPECT_TRUE(always(scattered(row) == Dims({1})));
  // In another order, a part of a row, and rows that two numbers make.
  const TensorData turned = int64_tensor({4, 2}, {2, 0, 2, 2, 2, 1, 2, 3});
  EXPECT_TRUE(always(scattered(turned) == Dims({4, 2})));
  EXPECT_TRUE(always(scattered(int64_tensor({2, 2}, {2, 0, 2, 1})) == Dims({2, 2})));
  const TensorData mixed = int64_tensor({4, 2}, {2, 0, 2, 1, 1, 2, 2, 3});
  EXPECT_TRUE(always(scattered(mixed) == Dims({4, 2})));
}

TEST(ShortenIndices, OfGatherND) {
  ModelBuilder model(13);
  const TensorData places = int64_tensor({2, 2, 2}, {2, 0, 2, 1, 0, 0, 0, 1});
  model.input("x", {"3", "2", "5"}).initializer("p", places).node("GatherND", {"x", "p"}, {"y"});
  model.output("y");
  EXPECT_TRUE(always(dims_of_indices(model, {random_tensor({3, 2, 5}, 3)}) == Dims({2, 1})));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

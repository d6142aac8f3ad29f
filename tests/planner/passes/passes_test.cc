// Tests each pass: what it rewrites, what it must leave alone, and that results stay.
#include "planner/passes/passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/graph/own_sources.h"
#include "planner/passes/integers/without_residuals.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

ModelBuilder& conv_3x3(ModelBuilder& model, const std::vector<std::string>& inputs) {
  model.input("x", {"1", "2", "4", "4"}).initializer("w", random_tensor({3, 2, 3, 3}, 1));
  return model.node("Conv", inputs, {"c"}, "conv");
}

const std::vector<TensorData>& image() {
  static const std::vector<TensorData> kImage = {random_tensor({1, 2, 4, 4}, 7)};
  return kImage;
}

TEST(Optimize, PassesCanBeSwitchedOff) {
  ModelBuilder model(13);
  conv_3x3(model, {"x", "w"}).node("Relu", {"c"}, {"y"}, "relu").output("y");
  EXPECT_EQ(optimized(model).nodes.size(), 1u);
  EXPECT_EQ(optimized(model, {"fuse_activation"}).nodes.size(), 2u);
}

TEST(FuseActivation, SwishesEndProductsAlone) {
  ModelBuilder product(14);
  conv_3x3(product, {"x", "w"}).node("HardSwish", {"c"}, {"y"}, "hard_swish").output("y");
  const Graph fused = optimized(product);
  ASSERT_EQ(fused.nodes.size(), 1u);
  const auto conv = fused.nodes[0].attributes_as<ConvAttributes>();
  EXPECT_EQ(conv.activation.kind, ActivationKind::kHardSwish);
  run_model(product, image());

  ModelBuilder swish(13);
  conv_3x3(swish, {"x", "w"}).node("Sigmoid", {"c"}, {"s"}, "sigmoid");
  swish.node("Mul", {"c", "s"}, {"y"}, "mul").output("y");
  const Graph one = optimized(swish);
  ASSERT_EQ(one.nodes.size(), 1u);
  EXPECT_EQ(one.nodes[0].attributes_as<ConvAttributes>().activation.kind, ActivationKind::kSwish);
  run_model(swish, image());

  ModelBuilder sum(14);
  sum.input("x", {"2", "3"}).input("z", {"2", "3"}).node("Add", {"x", "z"}, {"s"}, "add");
  sum.node("HardSwish", {"s"}, {"y"}, "hard_swish").output("y");
  EXPECT_EQ(optimized(sum).nodes.size(), 2u);
}

TEST(FuseResidual, ProductsAddWhatWasAddedBehindThem) {
  ModelBuilder model(13);
  conv_3x3(model, {"x", "w", "b"}).initializer("b", random_tensor({3}, 2));
  model.input("r", {"1", "3", "2", "2"}).node("Add", {"r", "c"}, {"s"}, "add");
  model.node("Relu", {"s"}, {"y"}, "relu").output("y");
  const Graph graph = optimized(model);
  ASSERT_EQ(graph.nodes.size(), 1u);
  const Node& conv = graph.nodes[0];
  EXPECT_EQ(conv.inputs.size(), 4u);
  EXPECT_EQ(graph.values[conv.inputs[kResidualInput]].name, "r");
  EXPECT_EQ(conv.attributes_as<ConvAttributes>().activation.kind, ActivationKind::kClip);
  EXPECT_THAT(conv.sources, UnorderedElementsAre("conv", "add", "relu"));
  run_model(model, {image()[0], random_tensor({1, 3, 2, 2}, 5)});
  EXPECT_EQ(optimized(model, {"fuse_residual"}).nodes.size(), 2u);

  // Taken apart again, the sum takes the activation.
  const std::optional<Graph> apart = without_residuals(graph);
  ASSERT_TRUE(apart.has_value());
  ASSERT_EQ(apart->nodes.size(), 2u);
  EXPECT_EQ(apart->nodes[0].inputs.size(), 3u);
  EXPECT_EQ(apart->nodes[0].attributes_as<ConvAttributes>().activation.kind, ActivationKind::kNone);
  const Node& sum = apart->nodes[1];
  EXPECT_EQ(sum.op, Op::kAdd);
  EXPECT_THAT(sum.inputs, ElementsAre(apart->nodes[0].outputs[0], conv.inputs[kResidualInput]));
  EXPECT_EQ(sum.outputs, conv.outputs);
  EXPECT_EQ(sum.attributes_as<BinaryAttributes>().activation.kind, ActivationKind::kClip);
  EXPECT_FALSE(without_residuals(*apart).has_value());
}

TEST(FuseResidual, MatrixProductsDo) {
  ModelBuilder model(13);
  model.input("x", {"2", "5", "3"}).input("r", {"2", "5", "4"});
  model.initializer("w", random_tensor({3, 4}, 1)).initializer("b", random_tensor({4}, 2));
  model.node("MatMul", {"x", "w"}, {"p"}, "product").node("Add", {"p", "b"}, {"s"}, "bias");
  model.node("Add", {"s", "r"}, {"y"}, "add").output("y");
  const Graph graph = optimized(model);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].inputs.size(), 4u);
  run_model(model, {random_tensor({2, 5, 3}, 7), random_tensor({2, 5, 4}, 8)});

  // What is scaled, or has a matrix of its own to add, keeps the sum.
  for (const float alpha : {2.0f, 1.0f}) {
    ModelBuilder scaled(13);
    scaled.input("x", {"5", "3"}).input("r", {"5", "4"}).initializer("w", random_tensor({3, 4}, 1));
    scaled.initializer("c", random_tensor({5, 4}, 2));
    scaled.node("Gemm", {"x", "w", "c"}, {"p"}, "gemm").with("alpha", alpha);
    scaled.node("Add", {"p", "r"}, {"y"}, "add").output("y");
    EXPECT_EQ(optimized(scaled).nodes.size(), 2u) << alpha;
  }
}

// The later product of two takes the other's result, and a product goes behind what its residual
// takes.
TEST(FuseResidual, ResidualsAreMadeBefore) {
  ModelBuilder both(13);
  conv_3x3(both, {"x", "w"}).initializer("v", random_tensor({3, 2, 3, 3}, 4));
  both.node("Conv", {"x", "v"}, {"d"}, "second").node("Add", {"c", "d"}, {"y"}, "add").output("y");
  const Graph two = optimized(both);
  ASSERT_EQ(two.nodes.size(), 2u);
  EXPECT_EQ(two.nodes[1].inputs[kResidualInput], two.nodes[0].outputs[0]);
  run_model(both, image());

  ModelBuilder later(13);
  conv_3x3(later, {"x", "w"}).input("z", {"1", "3", "2", "2"});
  later.node("Exp", {"z"}, {"r"}, "exp").node("Add", {"c", "r"}, {"y"}, "add").output("y");
  const Graph moved = optimized(later);
  ASSERT_EQ(moved.nodes.size(), 2u);
  EXPECT_EQ(moved.nodes[1].op, Op::kConv);
  run_model(later, {image()[0], random_tensor({1, 3, 2, 2}, 5)});
}

TEST(FuseResidual, LeavesWhatOthersReadOrWhatIsRepeated) {
  ModelBuilder read(13);
  conv_3x3(read, {"x", "w"}).input("r", {"1", "3", "2", "2"});
  read.node("Add", {"c", "r"}, {"y"}, "add").node("Exp", {"c"}, {"e"}, "exp");
  EXPECT_EQ(optimized(read.output("y").output("e")).nodes.size(), 3u);

  ModelBuilder repeated(13);
  conv_3x3(repeated, {"x", "w"}).input("r", {"1", "3", "1", "1"});
  repeated.node("Add", {"c", "r"}, {"y"}, "add").output("y");
  EXPECT_EQ(optimized(repeated).nodes.size(), 2u);

  ModelBuilder twice(13);
  conv_3x3(twice, {"x", "w"}).node("Add", {"c", "c"}, {"y"}, "add").output("y");
  EXPECT_EQ(optimized(twice).nodes.size(), 2u);

  ModelBuilder bent(13);
  conv_3x3(bent, {"x", "w"}).input("r", {"1", "3", "2", "2"}).node("Relu", {"c"}, {"a"}, "relu");
  bent.node("Add", {"a", "r"}, {"y"}, "add").output("y");
  EXPECT_EQ(optimized(bent).nodes.size(), 2u);
}

TEST(RemoveIdentities, TakesOutWhatChangesNothing) {
  ModelBuilder model(13);
  model.input("x", {"2", "3"}).initializer("shape", int64_tensor({2}, {2, 3}));
  model.initializer("pads", int64_tensor({4}, {0, 0, 0, 0}));
  model.node("Identity", {"x"}, {"a"}).node("Cast", {"a"}, {"b"}).with("to", 1);
  model.node("Reshape", {"b", "shape"}, {"c"}).node("Pad", {"c", "pads"}, {"d"});
  model.node("Transpose", {"d"}, {"e"}).with_ints("perm", {0, 1});
  model.node("Concat", {"e"}, {"f"}).with("axis", 0).node("Dropout", {"f"}, {"g"});
  model.node("Sigmoid", {"g"}, {"y"}).output("y");
  const Graph graph = optimized(model);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].op, Op::kSigmoid);
  EXPECT_EQ(graph.values.size(), 2u);
}

// Over dims of 1 a reduction sees one element for each result.
TEST(RemoveIdentities, ReductionsOfOneElementGoWhereTheyLeaveItAsItIs) {
  const auto nodes_of = [](const char* reduction, const char* dim) {
    ModelBuilder model(13);
    model.input("x", {"2", dim, "3"}).node("Exp", {"x"}, {"e"});
    if (reduction == std::string("ReduceSum")) {
      model.initializer("axes", int64_tensor({1}, {1})).node(reduction, {"e", "axes"}, {"r"});
    } else {
      model.node(reduction, {"e"}, {"r"}).with_ints("axes", {1});
    }
    model.node("Neg", {"r"}, {"y"}).output("y");
    const auto side = static_cast<uint32_t>(std::stoul(dim));
    run_model(model, {random_tensor({2, side, 3}, 7)});
    return optimized(model).nodes.size();
  };
  for (const char* name : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"}) {
    EXPECT_EQ(nodes_of(name, "1"), 2u) << name;
    EXPECT_EQ(nodes_of(name, "4"), 3u) << name;
  }
  for (const char* name :
       {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceSumSquare", "ReduceLogSumExp"}) {
    EXPECT_GE(nodes_of(name, "1"), 3u) << name;
  }
}

TEST(RemoveIdentities, PoolsOfOneElementGo) {
  const auto nodes_of = [](const char* pool, int64_t kernel, int64_t stride) {
    ModelBuilder model(13);
    model.input("x", {"1", "2", "5", "5"}).node("Exp", {"x"}, {"e"});
    model.node(pool, {"e"}, {"p"}).with_ints("kernel_shape", {kernel, kernel});
    model.with_ints("strides", {stride, stride});
    model.with_ints("pads", {kernel / 2, kernel / 2, kernel / 2, kernel / 2});
    model.node("Neg", {"p"}, {"y"}).output("y");
    run_model(model, {random_tensor({1, 2, 5, 5}, 7)});
    return optimized(model).nodes.size();
  };
  for (const char* name : {"MaxPool", "AveragePool"}) {
    EXPECT_EQ(nodes_of(name, 1, 1), 2u) << name;
    EXPECT_EQ(nodes_of(name, 3, 1), 3u) << name;
    EXPECT_EQ(nodes_of(name, 1, 2), 3u) << name;
  }
}

TEST(RemoveIdentities, OutputsKeepTheirNames) {
  ModelBuilder model(13);
  model.input("x", {"2"}).node("Sigmoid", {"x"}, {"inner"}, "s");
  model.node("Relu", {"inner"}, {"z"}).node("Identity", {"inner"}, {"y"}, "i");
  model.output("y").output("z");
  const Graph graph = optimized(model);
  EXPECT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(graph.values[graph.outputs[0]].name, "y");
  EXPECT_THAT(graph.nodes[0].sources, ElementsAre("s", "i"));
  run_model(model, {counting_tensor({2})});
}

TEST(OwnSources, ANameStaysWhereItIsFirst) {
  Graph graph;
  graph.nodes.resize(3);
  graph.nodes[0].sources = {"pointwise", "depthwise", "pad"};
  graph.nodes[1].sources = {"depthwise", "relu"};
  graph.nodes[2].sources = {"depthwise"};
  keep_own_sources(graph);
  EXPECT_THAT(graph.nodes[0].sources, ElementsAre("pointwise", "pad"));
  EXPECT_THAT(graph.nodes[1].sources, ElementsAre("depthwise", "relu"));
  EXPECT_THAT(graph.nodes[2].sources, ElementsAre("depthwise"));
}

TEST(RemoveIdentities, CopiesOfInputsAndSharedOutputsStay) {
  ModelBuilder model(13);
  model.input("x", {"2"}).node("Identity", {"x"}, {"a"}).node("Sigmoid", {"x"}, {"b"});
  model.node("Identity", {"b"}, {"c"}).output("a").output("b").output("c");
  EXPECT_EQ(count_ops(optimized(model), Op::kCopy), 2u);
  run_model(model, {counting_tensor({2})});
}

TEST(FuseBatchNormalization, FoldsEverythingAChannel) {
  ModelBuilder model(13);
  conv_3x3(model, {"x", "w"});
  model.initializer("s", random_tensor({3}, 2)).initializer("b", random_tensor({3}, 3));
  model.initializer("m", random_tensor({3}, 4)).initializer("v", float_tensor({3}, {1, 2, 3}));
  model.initializer("f", random_tensor({1, 3, 1, 1}, 5)).initializer("t", random_tensor({1}, 6));
  model.node("BatchNormalization", {"c", "s", "b", "m", "v"}, {"n"}, "norm");
  model.node("Mul", {"f", "n"}, {"o"}, "mul").node("Add", {"o", "t"}, {"y"}, "add").output("y");
  const Graph graph = optimized(model);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].op, Op::kConv);
  EXPECT_EQ(graph.nodes[0].inputs.size(), 3u);
  EXPECT_THAT(graph.nodes[0].sources, ElementsAre("conv", "norm", "mul", "add"));
  EXPECT_EQ(graph.values[graph.outputs[0]].name, "y");
  run_model(model, image());
}

TEST(FuseBatchNormalization, LeavesOtherFactorsAlone) {
  ModelBuilder model(13);
  conv_3x3(model, {"x", "w"}).initializer("f", random_tensor({2}, 5));
  // One factor a column, not a channel.
  model.node("Mul", {"c", "f"}, {"y"}).output("y");
  EXPECT_EQ(optimized(model).nodes.size(), 2u);
}

TEST(FuseBatchNormalization, NeedsConstantWeightsAndOneReader) {
  ModelBuilder shared(13), run_time(13);
  conv_3x3(shared, {"x", "w"}).initializer("f", random_tensor({3, 1, 1}, 5));
  shared.node("Mul", {"c", "f"}, {"y"}).output("y").output("c");
  EXPECT_EQ(optimized(shared).nodes.size(), 2u);
  run_time.input("x", {"1", "2", "4", "4"}).input("w", {"3", "2", "3", "3"});
  run_time.initializer("f", random_tensor({3, 1, 1}, 5)).node("Conv", {"x", "w"}, {"c"});
  run_time.node("Mul", {"c", "f"}, {"y"}).output("y");
  EXPECT_EQ(optimized(run_time).nodes.size(), 2u);
}

TEST(FuseBatchNormalization, WithoutAConvolutionTheKernelStays) {
  ModelBuilder model(13);
  model.input("x", {"2", "3"});
  for (const char* name : {"s", "b", "m", "v"}) {
    model.initializer(name, float_tensor({3}, {1, 2, 3}));
  }
  model.node("BatchNormalization", {"x", "s", "b", "m", "v"}, {"y"}).output("y");
  EXPECT_EQ(count_ops(optimized(model), Op::kBatchNormalization), 1u);
}

ModelBuilder& padded_conv(ModelBuilder& model, const std::vector<int64_t>& pads, float value) {
  model.input("x", {"1", "2", "4", "4"}).initializer("w", random_tensor({3, 2, 3, 3}, 1));
  model.initializer("pads", int64_tensor({8}, pads));
  model.initializer("value", float_tensor({}, {value}));
  model.node("Pad", {"x", "pads", "value"}, {"p"}, "pad");
  return model.node("Conv", {"p", "w"}, {"y"}, "conv").output("y");
}

// Conv of three dims does as those of two: folds a channel's factors, a Pad before, an activation.
TEST(FuseBatchNormalization, IntoVolumesToo) {
  ModelBuilder model(13);
  model.input("x", {"1", "2", "3", "4", "4"}).initializer("w", random_tensor({3, 2, 2, 3, 3}, 1));
  model.initializer("pads", int64_tensor({10}, {0, 0, 1, 0, 1, 0, 0, 0, 2, 1}));
  model.initializer("f", random_tensor({3, 1, 1, 1}, 5));
  model.node("Pad", {"x", "pads"}, {"p"}, "pad").node("Conv", {"p", "w"}, {"c"}, "conv");
  model.with_ints("pads", {1, 0, 0, 0, 0, 0});
  model.node("Mul", {"c", "f"}, {"m"}, "mul").node("Relu", {"m"}, {"y"}, "relu").output("y");
  const Graph graph = optimized(model);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].op, Op::kConv3d);
  const auto conv = graph.nodes[0].attributes_as<Conv3dAttributes>();
  EXPECT_THAT(conv.pad_begin, ElementsAre(2, 0, 1));
  EXPECT_EQ(conv.activation.kind, ActivationKind::kClip);
  run_model(model, {random_tensor({1, 2, 3, 4, 4}, 7)});
}

TEST(FusePadding, ZerosAroundSpaceBecomeTheConvolutions) {
  ModelBuilder model(13);
  padded_conv(model, {0, 0, 1, 0, 0, 0, 2, 3}, 0.0f).with_ints("pads", {1, 1, 0, 0});
  const Graph graph = optimized(model);
  ASSERT_EQ(graph.nodes.size(), 1u);
  const auto conv = graph.nodes[0].attributes_as<ConvAttributes>();
  EXPECT_THAT(conv.pad_begin, ElementsAre(2, 1));
  EXPECT_THAT(graph.nodes[0].sources, UnorderedElementsAre("conv", "pad"));
  run_model(model, image());
}

TEST(FusePadding, OtherPadsStay) {
  ModelBuilder value(13), crop(13);
  padded_conv(value, {0, 0, 1, 1, 0, 0, 1, 1}, 1.0f);
  EXPECT_EQ(optimized(value).nodes.size(), 2u);
  padded_conv(crop, {0, 0, -1, 1, 0, 0, 1, 1}, 0.0f);
  EXPECT_EQ(optimized(crop).nodes.size(), 2u);
  run_model(value, image());
  run_model(crop, image());
}

TEST(FusePadding, LinesPadTheirWidth) {
  ModelBuilder model(13);
  model.input("x", {"1", "1", "4"}).initializer("w", random_tensor({1, 1, 3}, 1));
  model.initializer("pads", int64_tensor({6}, {0, 0, 2, 0, 0, 1}));
  model.node("Pad", {"x", "pads"}, {"p"}).node("Conv", {"p", "w"}, {"y"}).output("y");
  const Graph graph = optimized(model);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_THAT(graph.nodes[0].attributes_as<ConvAttributes>().pad_begin, ElementsAre(0, 2));
  run_model(model, {random_tensor({1, 1, 4}, 2)});
}

TEST(FuseMatmulBias, AddedConstantsBecomeTheThirdOperand) {
  ModelBuilder model(13);
  model.input("x", {"2", "3"}).initializer("w", random_tensor({3, 4}, 1));
  model.initializer("b", random_tensor({4}, 2));
  model.node("MatMul", {"x", "w"}, {"m"}).node("Add", {"b", "m"}, {"y"}).output("y");
  const Graph graph = optimized(model);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].inputs.size(), 3u);
  run_model(model, {random_tensor({2, 3}, 3)});
}

TEST(FuseMatmulBias, ATermThatRepeatsTheProductStays) {
  ModelBuilder model(13);
  model.input("x", {"1", "3"}).initializer("w", random_tensor({3, 4}, 1));
  model.initializer("b", random_tensor({2, 4}, 2));
  model.node("MatMul", {"x", "w"}, {"m"}).node("Add", {"m", "b"}, {"y"}).output("y");
  EXPECT_EQ(optimized(model).nodes.size(), 2u);
  run_model(model, {random_tensor({1, 3}, 3)});
}

TEST(FuseActivation, EveryActivationAndProducer) {
  for (const char* producer : {"Add", "Mul", "Div", "MatMul"}) {
    for (const char* activation : {"Relu", "Sigmoid", "HardSigmoid"}) {
      ModelBuilder model(13);
      model.input("a", {"2", "2"}).input("b", {"2", "2"}).node(producer, {"a", "b"}, {"p"});
      model.node(activation, {"p"}, {"y"}).output("y");
      EXPECT_EQ(optimized(model).nodes.size(), 1u) << producer << ' ' << activation;
      run_model(model, {random_tensor({2, 2}, 1), random_tensor({2, 2}, 2)});
    }
  }
}

TEST(FuseActivation, NotTwiceNorWithRunTimeBoundsNorForOthersToo) {
  ModelBuilder twice(13), bounds(13), read(13);
  conv_3x3(twice, {"x", "w"}).node("Relu", {"c"}, {"r"}).node("Sigmoid", {"r"}, {"y"});
  EXPECT_EQ(optimized(twice.output("y")).nodes.size(), 2u);
  conv_3x3(bounds, {"x", "w"}).input("max", {}).node("Clip", {"c", "", "max"}, {"y"});
  EXPECT_EQ(optimized(bounds.output("y")).nodes.size(), 2u);
  conv_3x3(read, {"x", "w"}).node("HardSigmoid", {"c"}, {"h"}).node("Mul", {"c", "h"}, {"y"});
  EXPECT_EQ(optimized(read.output("y")).nodes.size(), 3u);
}

TEST(DeadCode, DropsUnreadNodesOutputsAndConstants) {
  ModelBuilder model(13);
  model.input("x", {"1", "1", "4"}).input("unused", {"1"});
  model.initializer("c", counting_tensor({100}));
  model.node("MaxPool", {"x"}, {"y", "i"}).with_ints("kernel_shape", {2});
  model.node("Relu", {"x"}, {"dead"}).output("y");
  const Graph graph = optimized(model);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].outputs.size(), 1u);
  EXPECT_EQ(graph.inputs.size(), 2u);
  EXPECT_EQ(graph.values.size(), 3u);
}

TEST(FuseBatchNormalization, FoldsIntoProducts) {
  ModelBuilder gemm(13), scaled(13), shared(13);
  gemm.input("x", {"3", "4"}).initializer("w", random_tensor({5, 4}, 1));
  gemm.initializer("c", random_tensor({5}, 2));
  for (const char* name : {"scale", "bias", "mean"}) gemm.initializer(name, random_tensor({5}, 3));
  gemm.initializer("var", float_tensor({5}, {1, 2, 3, 4, 5}));
  gemm.node("Gemm", {"x", "w", "c"}, {"g"}).with("transB", 1).with("beta", 0.5f);
  gemm.node("BatchNormalization", {"g", "scale", "bias", "mean", "var"}, {"y"}).output("y");
  run_model(gemm, {random_tensor({3, 4}, 7)});
  EXPECT_EQ(optimized(gemm).nodes.size(), 1u);
  // A factor for each column of a batch of products, then a term.
  scaled.input("x", {"2", "3", "4"}).initializer("w", random_tensor({4, 5}, 1));
  scaled.initializer("f", random_tensor({5}, 2)).initializer("t", random_tensor({5}, 3));
  scaled.node("MatMul", {"x", "w"}, {"g"}).node("Mul", {"g", "f"}, {"m"});
  scaled.node("Add", {"m", "t"}, {"y"}).output("y");
  run_model(scaled, {random_tensor({2, 3, 4}, 7)});
  EXPECT_EQ(optimized(scaled).nodes.size(), 1u);
  // Weights that others read would be stored twice.
  shared.input("x", {"3", "4"}).initializer("w", random_tensor({4, 4}, 1));
  shared.initializer("f", random_tensor({4}, 2)).node("MatMul", {"x", "w"}, {"g"});
  shared.node("Mul", {"g", "f"}, {"m"}).node("MatMul", {"m", "w"}, {"y"}).output("y");
  run_model(shared, {random_tensor({3, 4}, 7)});
  EXPECT_EQ(optimized(shared).nodes.size(), 3u);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

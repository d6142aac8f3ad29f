// Tests what options say of a model: open dimensions, inputs that become constants, where it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/import/import.h"
#include "tests/planner/model/model_builder.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using Dims = std::vector<std::string>;

// y = relu(x), and u = relu(z) where z has dims.
struct ReluOf : ModelBuilder {
  explicit ReluOf(const Dims& dims, const Dims& others = {}) : ModelBuilder(13) {
    input("x", dims).node("Relu", {"x"}, {"y"}, "first").output("y");
    if (!others.empty()) input("z", others).node("Relu", {"z"}, {"u"}, "second").output("u");
  }
};

std::vector<uint32_t> imported_dims(const ModelBuilder& model, const ImportOptions& options = {}) {
  const Graph graph = import_onnx(model.bytes(), options);
  return bounds(graph.values[graph.inputs[0]].dims);
}

TEST(OpenDims, ALeadingOneIsABatchByItsName) {
  for (const char* name : {"N", "b", "batch", "batch_size", "DynamicBatch"}) {
    EXPECT_THAT(imported_dims(ReluOf({name, "3"}, {"2", "4"})), ElementsAre(1, 3)) << name;
  }
}

TEST(OpenDims, ALeadingOneIsABatchWhereAllInputsBeginWithIt) {
  for (const char* name : {"", "s0", "unk__6"}) {
    EXPECT_THAT(imported_dims(ReluOf({name, "3"}, {name, "4"})), ElementsAre(1, 3)) << name;
    EXPECT_THAT(import_error(ReluOf({name, "3"}, {"2", "4"})),
                HasSubstr("dimension 0 of [" + std::string(*name == 0 ? "?" : name) + ", 3]"))
        << name;
  }
  EXPECT_THAT(import_error(ReluOf({"s0", "3"}, {"s1", "4"})), HasSubstr("dimension 0 of [s0, 3]"));
  // A scalar and a constant have nothing to begin with.
  ReluOf model({"s0", "3"}, {"2"});
  model.input("rate", {});
  ImportOptions options;
  const TensorData two = float_tensor({2}, {1, 2});
  options.bound["z"] = {two.dims, two.bytes};
  EXPECT_THAT(imported_dims(model, options), ElementsAre(1, 3));
}

// They were planned for T = 1.
TEST(OpenDims, ATimeIsNoBatch) {
  for (const char* name : {"T", "time", "seq_len", "frames", "n_tokens"}) {
    EXPECT_THAT(import_error(ReluOf({name, "1", "8"})),
                HasSubstr("dimension 0 of [" + std::string(name) + ", 1, 8] is not set"));
  }
  const ReluOf other_batch({"rows", "batch", "8"});
  ImportOptions options;
  options.dims["batch"] = 2;
  EXPECT_THAT(
      import_error(other_batch, options),
      AllOf(HasSubstr("dimension 0 of [rows, batch, 8] is not set"), HasSubstr("--shape x=")));
  options.dims["rows"] = 5;
  EXPECT_THAT(imported_dims(other_batch, options), ElementsAre(5, 2, 8));
}

// The dimension is a time, whatever it is called.
TEST(OpenDims, RecurrentOperatorsGoThroughATime) {
  for (const int layout : {0, 1}) {
    ModelBuilder model(14);
    model.input("x", {"s0", "1", "8"}).initializer("w", random_tensor({1, 16, 8}, 1));
    model.initializer("r", random_tensor({1, 16, 4}, 2));
    model.node("LSTM", {"x", "w", "r"}, {"y"}, "recurrent").with("hidden_size", 4);
    model.with("layout", layout).output("y");
    if (layout == 1) {
      EXPECT_THAT(imported_dims(model), ElementsAre(1, 1, 8));
    } else {
      EXPECT_THAT(import_error(model), HasSubstr("dimension 0 of [s0, 1, 8] is not set"));
    }
  }
}

TEST(OpenDims, WhatInputsShareIsAskedForOnceByName) {
  const std::string error = import_error(ReluOf({"1", "past", "8"}, {"1", "past", "8"}));
  EXPECT_THAT(error, AllOf(HasSubstr("--dim past=..."), HasSubstr("--shape x="),
                           Not(HasSubstr("input 'z'"))));
  EXPECT_THAT(import_error(ReluOf({"1", "H", "W"})),
              AllOf(HasSubstr("dimensions 1 and 2 of [1, H, W] are not set"),
                    HasSubstr("--shape x="), Not(HasSubstr("--dim"))));
}

TEST(OpenDims, DimAgainstShapeIsAnError) {
  ImportOptions options;
  options.dims["L"] = 4;
  options.shapes["x"] = {1, 7};
  EXPECT_THAT(
      import_error(ReluOf({"1", "L"}), options),
      AllOf(HasSubstr("input 'x': --shape gives [1, 7]"), HasSubstr("contradicts --dim L=4")));
  options.shapes["x"] = {1, 4};
  EXPECT_THAT(imported_dims(ReluOf({"1", "L"}), options), ElementsAre(1, 4));
}

TEST(OpenDims, NothingMayComeOutOnlyWhereAnOutputHasElements) {
  ImportOptions options;
  options.dims["seq"] = 0;
  EXPECT_EQ(import_error(ReluOf({"1", "seq"}), options),
            "--dim seq=0: output 'y' has dims [1, 0] then, expected some elements");
  ImportOptions shape;
  shape.shapes["x"] = {1, 0};
  EXPECT_THAT(imported_dims(ReluOf({"1", "seq"}), shape), ElementsAre(1, 0));
  ModelBuilder cache(13);
  cache.input("x", {"1", "2"}).input("past", {"1", "seq"});
  cache.node("Concat", {"past", "x"}, {"y"}).with("axis", 1).output("y");
  EXPECT_THAT(run_model(cache, {float_tensor({1, 2}, {3, 4}), float_tensor({1, 0}, {})}, options)
                  .at(0)
                  .dims,
              ElementsAre(1, 2));
}

// A model like voice detectors: the sample rate chooses the network.
struct ByRate : ModelBuilder {
  explicit ByRate(const char* of_slow = "Relu") : ModelBuilder(13) {
    ModelBuilder fast(13), slow(13);
    fast.node("Neg", {"x"}, {"inner"}).output("inner");
    slow.node(of_slow, {"x"}, {"inner"}).output("inner");
    input("x", {"2"}).input("sr", {}, DType::kInt64);
    initializer("fast", int64_tensor({}, {16000}));
    node("Equal", {"sr", "fast"}, {"is_fast"}).node("If", {"is_fast"}, {"y"}, "choice");
    with_graph("then_branch", fast).with_graph("else_branch", slow).output("y");
  }
};

TEST(FixedInputs, AreConstantsAndNoted) {
  ImportOptions options;
  const TensorData rate = int64_tensor({}, {16000});
  options.bound["sr"] = {rate.dims, rate.bytes};
  const Graph graph = import_onnx(ByRate().bytes(), options);
  EXPECT_EQ(graph.inputs.size(), 1u);
  EXPECT_THAT(graph.notes, Contains("input 'sr': taken as a constant of int64 []"));
  EXPECT_THAT(floats_of(run_model(ByRate(), {float_tensor({2}, {1, -2})}, options)[0].bytes),
              ElementsAre(-1, 2));
  options.bound["sr"].dims = {2};
  EXPECT_THAT(import_error(ByRate(), options),
              HasSubstr("input 'sr': its constant value gives [2], expected dims that fit []"));
  ImportOptions unknown;
  unknown.bound["rate"] = {rate.dims, rate.bytes};
  EXPECT_THAT(import_error(ByRate(), unknown), HasSubstr("--fix names input 'rate'"));
}

TEST(FixedInputs, ObstaclesAdviseThem) {
  EXPECT_EQ(import_error(ByRate()), "");
  EXPECT_THAT(import_error(ByRate("ReduceSum")), HasSubstr("the same dims, or --fix sr=..."));
  ModelBuilder shape(13);
  shape.input("x", {"4"}).input("a", {"1"}, DType::kInt64).input("b", {"1"}, DType::kInt64);
  shape.node("Concat", {"a", "b"}, {"shape"}).with("axis", 0);
  shape.node("Reshape", {"x", "shape"}, {"y"}).output("y");
  EXPECT_THAT(import_error(shape), HasSubstr("shapes alone, or --fix a=... --fix b=..."));
  ModelBuilder data(13);
  data.input("x", {"4"}).node("Cast", {"x"}, {"shape"}).with("to", 7);
  data.node("Reshape", {"x", "shape"}, {"y"}).output("y");
  EXPECT_THAT(import_error(data), AllOf(HasSubstr("must be constant"), Not(HasSubstr("--fix"))));
}

// Boxes and scores, and what cannot be planned behind their suppression.
struct Detector : ModelBuilder {
  Detector() : ModelBuilder(13) {
    input("x", {"2"}).input("most", {}, DType::kInt64);
    node("Relu", {"x"}, {"boxes"}, "b").node("Neg", {"x"}, {"scores"}, "s");
    node("NonZero", {"scores"}, {"found"}, "f");
    node("Add", {"found", "most"}, {"more"}, "a");
    node("Concat", {"more", "more"}, {"kept"}, "join").with("axis", 1);
    output("kept", DType::kInt64);
  }
};

TEST(Outputs, CutTheGraph) {
  EXPECT_THAT(import_error(Detector()),
              HasSubstr("instead: --outputs with what it reads, and the rest behind the model "
                        "(the node reads 'more', 'more')"));
  ImportOptions options;
  options.outputs = {"scores", "boxes"};
  const Graph graph = import_onnx(Detector().bytes(), options);
  ASSERT_EQ(graph.outputs.size(), 2u);
  EXPECT_EQ(graph.values[graph.outputs[0]].name, "scores");
  EXPECT_EQ(graph.values[graph.outputs[1]].name, "boxes");
  EXPECT_EQ(graph.inputs.size(), 1u);
  EXPECT_THAT(graph.notes, ElementsAre("--outputs 'scores', 'boxes': 3 of 5 operators are left "
                                       "out, and so is what they alone read: 'most'"));
}

TEST(Outputs, AreValuesOfTheModelEachOnce) {
  ImportOptions options;
  options.outputs = {"score"};
  EXPECT_EQ(import_error(Detector(), options),
            "--outputs names value 'score', which the model does not have; did you mean 'scores'?");
  options.outputs = {"boxes", "boxes"};
  EXPECT_EQ(import_error(Detector(), options), "--outputs names value 'boxes' twice");
}

// Branches read values of the graph around them.
TEST(Outputs, KeepWhatBranchesRead) {
  ModelBuilder model(13), branch(13), other(13);
  branch.node("Neg", {"inside"}, {"inner"}).output("inner");
  other.node("Relu", {"x"}, {"inner"}).output("inner");
  model.input("x", {"2"}).initializer("c", bool_tensor({}, {true}));
  model.node("Abs", {"x"}, {"inside"}).node("If", {"c"}, {"y"}, "choice");
  model.with_graph("then_branch", branch).with_graph("else_branch", other);
  model.node("Unheard", {"y"}, {"z"}).output("z");
  ImportOptions options;
  options.outputs = {"y"};
  EXPECT_THAT(floats_of(run_model(model, {float_tensor({2}, {1, -2})}, options)[0].bytes),
              ElementsAre(-1, -2));
}

TEST(Opsets, TwentyFourAndTwentyFiveAreRead) {
  for (const int64_t opset : {24, 25}) {
    ModelBuilder model(opset);
    model.input("x", {"2"}).node("Cast", {"x"}, {"c"}).with("to", 7).with("round_mode", "up");
    model.with("saturate", 1).node("Identity", {"c"}, {"y"}).output("y", DType::kInt64);
    EXPECT_EQ(import_error(model), "") << opset;
  }
  ModelBuilder before(23);
  before.input("x", {"2"}).node("Cast", {"x"}, {"y"}).with("to", 7).with("round_mode", "up");
  EXPECT_THAT(import_error(before.output("y", DType::kInt64)),
              HasSubstr("attribute 'round_mode': is not known for this operator in opset 23"));
}

struct Masked : ModelBuilder {
  Masked(int64_t opset, const Dims& mask) : ModelBuilder(opset) {
    for (const char* name : {"q", "k", "v"}) input(name, {"1", "2", "6", "4"});
    input("mask", mask).node("Attention", {"q", "k", "v", "mask"}, {"y"}, "a").output("y");
  }
};

TEST(Opsets, WhatChangedIsRefusedByName) {
  EXPECT_EQ(import_error(Masked(24, {"6", "6"})), "");
  EXPECT_EQ(import_error(Masked(23, {"6", "1"})), "");
  EXPECT_THAT(import_error(Masked(24, {"6", "4"})),
              HasSubstr("a mask [6, 4] for 6 keys, which Attention since opset 24 pads"));
  ModelBuilder counted(24), later(24), scattered(25), small(25);
  for (const char* name : {"q", "k", "v"}) counted.input(name, {"1", "2", "6", "4"});
  counted.input("n", {"1"}, DType::kInt64);
  counted.node("Attention", {"q", "k", "v", "", "", "", "n"}, {"y"}, "a").output("y");
  EXPECT_THAT(import_error(counted),
              HasSubstr("'nonpad_kv_seqlen', of Attention since opset 24 is not supported"));
  later.input("x", {"2"}).node("Swish", {"x"}, {"y"}, "s").output("y");
  EXPECT_THAT(import_error(later),
              HasSubstr("(op 'Swish'): operator of opset 24 is not supported yet; instead: Mul"));
  scattered.input("x", {"2"}).node("TensorScatter", {"x", "x", "x"}, {"y"}, "t").output("y");
  EXPECT_THAT(import_error(scattered), HasSubstr("operator of opset 24"));
  small.input("x", {"2"}).node("Cast", {"x"}, {"y"}).with("to", 26).output("y");
  EXPECT_THAT(import_error(small), HasSubstr("2-bit integer element types are not supported"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Tests what import decides about a whole model: inputs, shapes, folding, outputs, errors.
#include "planner/import/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "planner/graph/interpret.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/model_builder.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The message of the InputError that `action` throws.
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Import, InitializersListedAsInputsAreNotInputs) {
  ModelBuilder model(13);
  model.input("x", {"2"}).input("w", {"2"}).initializer("w", counting_tensor({2}));
  model.node("Add", {"x", "w"}, {"y"}).output("y");
  const Graph graph = import_onnx(model.bytes(), {});
  ASSERT_EQ(graph.inputs.size(), 1u);
  EXPECT_EQ(graph.values[graph.inputs[0]].name, "x");
}

TEST(Import, UnsetLeadingDimensionBecomesOneWithANote) {
  ModelBuilder model(13);
  model.input("x", {"N", "3"}).node("Relu", {"x"}, {"y"}).output("y");
  const Graph graph = import_onnx(model.bytes(), {});
  EXPECT_THAT(bounds(graph.values[graph.inputs[0]].dims), ElementsAre(1, 3));
  EXPECT_THAT(graph.notes, ElementsAre(AllOf(HasSubstr("'x'"), HasSubstr("N set to 1"))));
}

TEST(Import, OtherUnsetDimensionsNameInputAndOption) {
  ModelBuilder model(13);
  model.input("x", {"1", "L"}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), AllOf(HasSubstr("input 'x'"), HasSubstr("--shape x=")));
  ImportOptions dims;
  dims.dims["L"] = 7;
  EXPECT_THAT(bounds(import_onnx(model.bytes(), dims).values[0].dims), ElementsAre(1, 7));
  ImportOptions shapes;
  shapes.shapes["x"] = {1, 9};
  EXPECT_THAT(bounds(import_onnx(model.bytes(), shapes).values[0].dims), ElementsAre(1, 9));
}

TEST(Import, OptionsThatContradictTheModelAreRefused) {
  ModelBuilder model(13);
  model.input("x", {"N", "3"}).node("Relu", {"x"}, {"y"}).output("y");
  ImportOptions options;
  options.shapes["x"] = {1, 4};
  EXPECT_THAT(import_error(model, options),
              AllOf(HasSubstr("input 'x'"), HasSubstr("[1, 4]"), HasSubstr("[N, 3]")));
  options.shapes["x"] = {1, 3, 1};
  EXPECT_THAT(import_error(model, options), HasSubstr("expected dims that fit [N, 3]"));
  options.shapes = {{"z", {1}}};
  EXPECT_THAT(import_error(model, options), AllOf(HasSubstr("'z'"), HasSubstr("'x'")));
  options.shapes.clear();
  options.dims["M"] = 2;
  EXPECT_THAT(import_error(model, options), AllOf(HasSubstr("'M'"), HasSubstr("'N'")));
}

TEST(Import, InputWithoutShapeNeedsOne) {
  ModelBuilder model(13);
  model.input_without_shape("x").node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), AllOf(HasSubstr("'x'"), HasSubstr("--shape")));
  ImportOptions options;
  options.shapes["x"] = {2, 2};
  EXPECT_THAT(bounds(import_onnx(model.bytes(), options).values[0].dims), ElementsAre(2, 2));
}

TEST(Import, ShapeChainsVanish) {
  // Reshape(x, Concat(Unsqueeze(Gather(Shape(x), 0)), Cast(Slice(...)))).
  ModelBuilder model(13);
  model.input("x", {"2", "3", "4"});
  model.initializer("zero", int64_tensor({}, {0})).initializer("axes", int64_tensor({1}, {0}));
  model.initializer("one", int64_tensor({1}, {1})).initializer("three", int64_tensor({1}, {3}));
  model.node("Shape", {"x"}, {"shape"});
  model.node("Gather", {"shape", "zero"}, {"n"});
  model.node("Unsqueeze", {"n", "axes"}, {"n1"});
  model.node("Slice", {"shape", "one", "three"}, {"rest"});
  model.node("Cast", {"rest"}, {"rest32"}).with("to", 6);
  model.node("Cast", {"rest32"}, {"rest64"}).with("to", 7);
  model.node("Concat", {"n1", "rest64"}, {"target"}).with("axis", 0);
  model.node("Reshape", {"x", "target"}, {"y"}).output("y");
  Graph graph = import_onnx(model.bytes(), {});
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].op, Op::kReshape);
  EXPECT_THAT(bounds(graph.values[graph.outputs[0]].dims), ElementsAre(2, 3, 4));
}

TEST(Import, ConstantAndInputOutputsAreCopied) {
  ModelBuilder model(13);
  model.input("x", {"2"}).initializer("c", counting_tensor({3}));
  model.node("Relu", {"x"}, {"y"}).output("c").output("x").output("y").output("y");
  const Graph graph = import_onnx(model.bytes(), {});
  ASSERT_EQ(graph.outputs.size(), 4u);
  EXPECT_EQ(graph.values[graph.outputs[0]].name, "c");
  EXPECT_EQ(graph.values[graph.outputs[2]].name, "y");
  const auto results =
      interpret(graph, std::vector<std::vector<std::byte>>{float_tensor({2}, {-1, 5}).bytes});
  EXPECT_THAT(floats_of(results[0]), ElementsAre(1, 2, 3));
  EXPECT_THAT(floats_of(results[1]), ElementsAre(-1, 5));
  EXPECT_THAT(floats_of(results[2]), ElementsAre(0, 5));
  EXPECT_THAT(floats_of(results[3]), ElementsAre(0, 5));
}

TEST(Import, NamesStayUniqueWhereTheModelUsesOurs) {
  // MatMul with a vector makes "y.row"; the model has a value of that name further on.
  ModelBuilder model(13);
  model.input("v", {"2"}).input("m", {"2", "3"});
  model.node("MatMul", {"v", "m"}, {"y"}).node("Relu", {"y"}, {"y.row"}).output("y.row");
  const Graph graph = import_onnx(model.bytes(), {});
  EXPECT_EQ(graph.values[graph.outputs[0]].name, "y.row");
  std::set<std::string> names;
  for (const Value& value : graph.values) EXPECT_TRUE(names.insert(value.name).second);
}

TEST(Import, BoundInputsAreConstants) {
  ModelBuilder model(13);
  model.input("x", {"4"}).input("shape", {"2"}, DType::kInt64);
  model.node("Reshape", {"x", "shape"}, {"y"}).output("y");
  EXPECT_THAT(shape_deciding_inputs(model.bytes()), ElementsAre("shape"));
  EXPECT_THAT(import_error(model), AllOf(HasSubstr("'shape'"), HasSubstr("must be constant")));
  ImportOptions options;
  const TensorData shape = int64_tensor({2}, {2, 2});
  options.bound["shape"] = {shape.dims, shape.bytes};
  const Graph graph = import_onnx(model.bytes(), options);
  EXPECT_EQ(graph.inputs.size(), 1u);
  EXPECT_THAT(bounds(graph.values[graph.outputs[0]].dims), ElementsAre(2, 2));
}

TEST(Import, ShapeDecidingInputsAreFoundThroughOtherNodes) {
  ModelBuilder model(13);
  model.input("x", {"4"}).input("a", {"1"}, DType::kInt32).input("b", {"1"}, DType::kInt64);
  model.input("other", {"4"});
  model.node("Cast", {"a"}, {"a64"}).with("to", 7);
  model.node("Concat", {"a64", "b"}, {"shape"}).with("axis", 0);
  model.node("Reshape", {"x", "shape"}, {"r"});
  model.node("Shape", {"other"}, {"s"}).node("Reshape", {"r", "s"}, {"y"}).output("y");
  EXPECT_THAT(shape_deciding_inputs(model.bytes()), ElementsAre("a", "b"));
}

TEST(Import, ValuesWithoutElementsNeverReachAKernel) {
  ModelBuilder model(13);
  model.input("x", {"3"}).initializer("none", float_tensor({0}, {}));
  model.node("Concat", {"x", "none"}, {"y"}).with("axis", 0).output("y");
  const Graph graph = import_onnx(model.bytes(), {});
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].inputs.size(), 1u);
}

// --- Errors say what, where, expected, found.

TEST(ImportErrors, UnknownOperator) {
  ModelBuilder model(13);
  model.input("x", {"1"}).node("Foo", {"x"}, {"y"}, "X").output("y");
  EXPECT_EQ(
      import_error(model),
      "node 'X' (op 'Foo'): operator is not supported; instead: those that 'arenite ops' lists");
  model.domain("com.example");
  EXPECT_EQ(
      import_error(model),
      "node 'X' (op 'Foo', domain 'com.example'): operator is not supported; instead: operators "
      "of ONNX's own domain");
}

TEST(ImportErrors, OurOwnCopyIsNoOperatorOfOnnx) {
  ModelBuilder model(13);
  model.input("x", {"1"}).node("Copy", {"x"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), HasSubstr("operator is not supported"));
}

TEST(ImportErrors, Opset) {
  for (const int64_t opset : {0, 26, 1000}) {
    ModelBuilder model(opset);
    model.input("x", {"1"}).node("Relu", {"x"}, {"y"}).output("y");
    EXPECT_THAT(import_error(model), AllOf(HasSubstr("opset"), HasSubstr("1 to 25"))) << opset;
  }
}

TEST(ImportErrors, UnknownAttribute) {
  ModelBuilder model(13);
  model.input("x", {"1"}).node("Relu", {"x"}, {"y"}).with("slope", 1.0f).output("y");
  EXPECT_EQ(import_error(model),
            "node 'n' (op 'Relu'): attribute 'slope': is not known for this operator in opset 13; "
            "instead: the operator without it, or the model of an opset that has it");
}

TEST(ImportErrors, AttributeOfAnotherKind) {
  ModelBuilder model(13);
  model.input("x", {"1", "2"}).node("Softmax", {"x"}, {"y"}).with("axis", 1.0f).output("y");
  EXPECT_EQ(import_error(model),
            "node 'n' (op 'Softmax'): attribute 'axis': expected int, found float");
}

TEST(ImportErrors, Subgraph) {
  ModelBuilder model(13);
  model.input("x", {"1"}).node("Loop", {"x"}, {"y"}).with_graph("body").output("y");
  EXPECT_THAT(import_error(model), HasSubstr("its body has 0 inputs and 0 outputs, expected 2"));
}

TEST(ImportErrors, UndefinedInput) {
  ModelBuilder model(13);
  model.input("x", {"1"}).node("Add", {"x", "z"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), AllOf(HasSubstr("node 'n' (op 'Add')"), HasSubstr("'z'")));
}

TEST(ImportErrors, NameMadeTwice) {
  ModelBuilder model(13);
  model.input("x", {"1"}).node("Relu", {"x"}, {"y"}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), HasSubstr("already the name"));
}

TEST(ImportErrors, MissingOutput) {
  ModelBuilder model(13);
  model.input("x", {"1"}).node("Relu", {"x"}, {"y"}).output("z");
  EXPECT_THAT(import_error(model), HasSubstr("output 'z': no node makes it"));
}

TEST(ImportErrors, TypeNoKernelTakes) {
  ModelBuilder model(13);
  model.input("x", {"1", "1", "3", "3"}, DType::kFloat64);
  model.input("w", {"1", "1", "1", "1"}, DType::kFloat64);
  model.node("Conv", {"x", "w"}, {"y"}).output("y", DType::kFloat64);
  EXPECT_THAT(import_error(model), AllOf(HasSubstr("node 'n' (op 'Conv')"), HasSubstr("float64"),
                                         HasSubstr("element types")));
}

TEST(ImportErrors, ShapesThatDoNotFit) {
  ModelBuilder model(13);
  model.input("x", {"2", "3"}).input("z", {"4"}).node("Add", {"x", "z"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), AllOf(HasSubstr("[2, 3]"), HasSubstr("[4]")));
}

TEST(ImportErrors, HugeConstantsAreRefusedBeforeTheyAreMade) {
  for (const int64_t side : {int64_t{40000}, int64_t{1} << 31, int64_t{1} << 62, int64_t{-1}}) {
    ModelBuilder model(13);
    model.initializer("s", int64_tensor({2}, {side, side}));
    model.node("ConstantOfShape", {"s"}, {"y"}).output("y");
    EXPECT_THAT(import_error(model), HasSubstr("node 'n' (op 'ConstantOfShape')")) << side;
  }
}

TEST(ImportErrors, ManyLargeConstantsAreRefused) {
  ModelBuilder model(13);
  model.initializer("s", int64_tensor({1}, {50'000'000}));
  for (int i = 0; i < 6; ++i) {
    model.node("ConstantOfShape", {"s"}, {"y" + std::to_string(i)});
  }
  model.output("y0");
  EXPECT_THAT(import_error(model), HasSubstr("too large to compute while planning"));
}

TEST(ImportErrors, NotAModel) {
  EXPECT_THAT(message_of([] { import_onnx({}, {}); }), HasSubstr("not an ONNX model"));
  const std::vector<std::byte> noise(100, std::byte{0xff});
  EXPECT_THAT(message_of([&] { import_onnx(noise, {}); }), HasSubstr("not an ONNX model"));
}

TEST(ImportErrors, NamesThatAreNoTextAreEscaped) {
  ModelBuilder model(13);
  model.input("x", {"1"}).node("Relu", {"x"}, {"y"}, "a\xff").output("y");
  EXPECT_EQ(import_error(model), "node name 'a\\xff' is not UTF-8");
}

// Every byte of a small model, every bit flipped, and every truncation: an error or a graph.
TEST(ImportErrors, DamagedModelsNeverCrash) {
  ModelBuilder model(11);
  model.input("x", {"1", "2", "5", "5"}).initializer("w", random_tensor({2, 2, 3, 3}, 1));
  model.initializer("s", int64_tensor({2}, {1, -1}));
  model.node("Conv", {"x", "w"}, {"c"}, "conv").with_ints("pads", {1, 1, 1, 1}).with("group", 1);
  model.node("MaxPool", {"c"}, {"p"}, "pool").with_ints("kernel_shape", {2, 2});
  model.node("Shape", {"p"}, {"shape"}).node("Reshape", {"p", "s"}, {"r"});
  model.node("Softmax", {"r"}, {"y"}).with("axis", 1).output("y");
  const std::vector<std::byte> bytes = model.bytes();
  ASSERT_NO_THROW(import_onnx(bytes, {}));
  const auto attempt = [](const std::vector<std::byte>& damaged) {
    try {
      Graph graph = import_onnx(damaged, {});
      optimize(graph);
    } catch (const InputError&) {
      // Said what is wrong.
    }
  };
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::vector<std::byte> damaged = bytes;
      damaged[i] ^= static_cast<std::byte>(1u << bit);
      attempt(damaged);
    }
    attempt({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(i)});
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

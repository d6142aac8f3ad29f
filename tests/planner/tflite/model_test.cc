// Tests what TensorFlow Lite models become as wholes: names, signatures, open dims, plans.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/plan.h"
#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// y = relu(x).
TfliteBuilder relu_model(const std::vector<int32_t>& dims = {1, 3}) {
  TfliteBuilder model;
  const int32_t x = model.input("serving_x:0", dims);
  const int32_t y = model.tensor("Partitioned:0", dims);
  model.op(19, {x}, {y});
  model.output(y);
  return model;
}

TEST(TfliteModel, CallersHaveTheSignaturesNamesAndValuesTheModels) {
  TfliteBuilder model = relu_model();
  model.signature("serving_default", {"image"}, {"scores"});
  const std::vector<ImportedMethod> methods = import_model(model.bytes(), {});
  ASSERT_EQ(methods.size(), 1u);
  EXPECT_EQ(methods[0].name, "") << "the only one is the model itself";
  const Graph& graph = methods[0].graph;
  EXPECT_THAT(graph.input_names, ElementsAre("image"));
  EXPECT_THAT(graph.output_names, ElementsAre("scores"));
  EXPECT_EQ(graph.values[graph.inputs[0]].name, "serving_x:0");
  EXPECT_EQ(graph.values[graph.outputs[0]].name, "Partitioned:0");
  EXPECT_THAT(import_model(relu_model().bytes(), {})[0].graph.input_names, IsEmpty());
}

TEST(TfliteModel, EachOfSeveralSignaturesIsAMethod) {
  TfliteBuilder model = relu_model();
  model.signature("first", {"a"}, {"b"});
  model.signature("second", {"c"}, {"d"});
  PlanOptions options;
  options.boards = {find_board("host")};
  const ModelFile file{"main", model.bytes(), {}, {}};
  const PlanResult planned = plan_models({file}, options);
  std::vector<std::string> names;
  for (const VariantReport& variant : planned.report.variants) {
    if (!variant.vulkan) names.push_back(variant.method);
  }
  EXPECT_THAT(names, ElementsAre("main_first", "main_second"));
}

// Two subgraphs, of which a method each; a third that no signature names is none.
TEST(TfliteModel, SubgraphsAreMethodsByTheirSignatures) {
  TfliteBuilder model = relu_model();
  model.signature("clamp", {"image"}, {"scores"});
  TfliteBuilder negate;
  const int32_t x = negate.input("x", {2});
  const int32_t y = negate.tensor("y", {2});
  negate.op(59, {x}, {y});
  negate.output(y);
  TfliteBuilder unnamed = negate;
  negate.signature("negate", {"from"}, {"to"});
  model.subgraph(std::move(unnamed));
  model.subgraph(std::move(negate));
  const std::vector<ImportedMethod> methods = import_model(model.bytes(), {});
  ASSERT_EQ(methods.size(), 2u);
  EXPECT_EQ(methods[0].name, "clamp");
  EXPECT_EQ(methods[1].name, "negate");
  EXPECT_THAT(methods[1].graph.input_names, ElementsAre("from"));
  EXPECT_THAT(methods[1].graph.output_names, ElementsAre("to"));
  EXPECT_THAT(floats_of(run_graph(methods[0].graph, {float_tensor({1, 3}, {-1, 2, -3})})[0].bytes),
              ElementsAre(0, 2, 0));
  EXPECT_THAT(floats_of(run_graph(methods[1].graph, {float_tensor({2}, {4, -5})})[0].bytes),
              ElementsAre(-4, 5));
  // Without signatures the first subgraph is the model.
  TfliteBuilder plain = relu_model();
  plain.subgraph(relu_model({2, 2}));
  EXPECT_EQ(import_model(plain.bytes(), {}).size(), 1u);
}

TEST(TfliteModel, OperatorsAreCountedOverAllSubgraphs) {
  TfliteBuilder model = relu_model();
  TfliteBuilder more = relu_model();
  const int32_t y = more.tensor("z", {1, 3});
  more.custom("Fancy\n", {0}, {y});
  model.subgraph(std::move(more));
  EXPECT_THAT(model_operators(model.bytes()),
              ElementsAre(std::pair<const std::string, uint32_t>("Fancy\\x0a", 1u),
                          std::pair<const std::string, uint32_t>("RELU", 2u)));
}

TEST(TfliteModel, ShapesAreGivenByEitherName) {
  TfliteBuilder model = relu_model();
  model.set_signature(0, {-1, 3});
  model.signature("serving_default", {"image"}, {"scores"});
  EXPECT_THAT(import_model(model.bytes(), {})[0].graph.notes,
              ElementsAre(HasSubstr("leading dimension set to 1")));
  for (const char* name : {"image", "serving_x:0"}) {
    ImportOptions options;
    options.shapes[name] = {4, 3};
    const Graph graph = import_model(model.bytes(), options)[0].graph;
    EXPECT_THAT(graph.values[graph.outputs[0]].dims, ElementsAre(4, 3)) << name;
  }
  ImportOptions wrong;
  wrong.shapes["other"] = {1, 3};
  EXPECT_THAT(tflite_error(model, wrong), HasSubstr("--shape names input 'other'"));
  wrong.shapes = {{"image", {1, 4}}};
  EXPECT_THAT(tflite_error(model, wrong), HasSubstr("expected dims that fit [?, 3]"));
}

TEST(TfliteModel, NamesNeedNotBeThereNorDiffer) {
  TfliteBuilder model;
  const int32_t x = model.input("", {2});
  const int32_t a = model.tensor("same", {2});
  const int32_t b = model.tensor("same", {2});
  model.op(59, {x}, {a});
  model.op(101, {a}, {b});
  model.output(b);
  const Graph graph = import_model(model.bytes(), {})[0].graph;
  EXPECT_EQ(graph.values[graph.inputs[0]].name, "tensor_0");
  EXPECT_EQ(graph.values[graph.outputs[0]].name, "same");
  EXPECT_THAT(run_tflite_floats(model, {float_tensor({2}, {1, -2})}), ElementsAre(1, 2));
}

TEST(TfliteModel, OutputsMayBeInputsConstantsOrTheSame) {
  TfliteBuilder model = relu_model();
  model.output(0);
  model.output(1);
  model.output(model.constant(float_tensor({2}, {5, 6})));
  const auto outputs = run_tflite(model, {float_tensor({1, 3}, {-1, 2, 3})});
  ASSERT_EQ(outputs.size(), 4u);
  EXPECT_THAT(floats_of(outputs[1].bytes), ElementsAre(-1, 2, 3));
  EXPECT_EQ(outputs[2].bytes, outputs[0].bytes);
  EXPECT_THAT(floats_of(outputs[3].bytes), ElementsAre(5, 6));
}

TEST(TfliteModel, ReportsNameOperatorsByNumber) {
  const Graph graph = import_model(relu_model().bytes(), {})[0].graph;
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_THAT(graph.nodes[0].sources, ElementsAre("RELU_0"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Tests what TensorFlow Lite models become as wholes: names, signatures, open dims, plans; and how
// damaged files are refused.
// FlexBuffers' texts of numbers are not used here: without this they ask for FlatBuffers' library.
#define FLATBUFFERS_LOCALE_INDEPENDENT 0
#include <flatbuffers/flexbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "planner/graph/obstacles.h"
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
    EXPECT_THAT(bounds(graph.values[graph.outputs[0]].dims), ElementsAre(4, 3)) << name;
  }
  ImportOptions wrong;
  wrong.shapes["other"] = {1, 3};
  EXPECT_THAT(tflite_error(model, wrong), HasSubstr("--shape names input 'other'"));
  wrong.shapes = {{"image", {1, 4}}};
  EXPECT_THAT(tflite_error(model, wrong), HasSubstr("expected dims that fit [?, 3]"));
}

// u = negate(relu(x)), read by an operator that is not known; z is for that alone.
TfliteBuilder chain_model() {
  TfliteBuilder model = relu_model();
  const int32_t z = model.input("z", {2});
  const int32_t u = model.tensor("u", {1, 3});
  const int32_t v = model.tensor("v", {1, 3});
  model.op(59, {1}, {u});
  model.custom("Fancy", {u, z}, {v});
  model.output(v);
  return model;
}

TEST(TfliteModel, OutputsCutTheGraph) {
  ImportOptions options;
  options.outputs = {"u"};
  const Graph graph = import_model(chain_model().bytes(), options)[0].graph;
  EXPECT_EQ(graph.inputs.size(), 1u);
  EXPECT_THAT(graph.notes, ElementsAre("--outputs 'u': 1 of 3 operators are left out, and so is "
                                       "what they alone read: 'z'"));
  EXPECT_THAT(
      floats_of(run_tflite(chain_model(), {float_tensor({1, 3}, {-1, 2, 3})}, options).at(0).bytes),
      ElementsAre(0, -2, -3));
  options.outputs = {"uu"};
  EXPECT_THAT(tflite_error(chain_model(), options), HasSubstr("--outputs names value 'uu'"));
}

TEST(TfliteModel, ObstaclesAdviseToFixInputs) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {4});
  const int32_t shape = model.input("shape", {2}, tfl::TensorType_INT32);
  const int32_t y = model.tensor("y", {2, 2});
  model.op(22, {x, shape}, {y});
  model.output(y);
  EXPECT_THAT(tflite_error(model), HasSubstr(", or --fix shape=..."));
  ImportOptions options;
  const TensorData twos = integer_tensor(DType::kInt32, {2}, {2, 2});
  options.bound["shape"] = {twos.dims, twos.bytes};
  EXPECT_EQ(tflite_error(model, options), "");
}

// Callers' names lead to the same values, and stay where they can.
TEST(TfliteModel, SignaturesNameWhatIsFixedOrCut) {
  TfliteBuilder model = chain_model();
  model.signature("serving_default", {"image", "most"}, {"scores", "kept"});
  ImportOptions options;
  options.outputs = {"scores"};
  const Graph cut = import_model(model.bytes(), options)[0].graph;
  EXPECT_THAT(cut.input_names, ElementsAre("image"));
  EXPECT_THAT(cut.output_names, ElementsAre("scores"));
  EXPECT_EQ(cut.values[cut.outputs[0]].name, "Partitioned:0");
  ImportOptions fixed;
  fixed.outputs = {"u", "z"};
  const TensorData two = float_tensor({2}, {5, 6});
  fixed.bound["most"] = {two.dims, two.bytes};
  const Graph graph = import_model(model.bytes(), fixed)[0].graph;
  EXPECT_THAT(graph.input_names, ElementsAre("image"));
  EXPECT_EQ(graph.inputs.size(), 1u);
  EXPECT_EQ(graph.outputs.size(), 2u);
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

// y = svdf(x), with a variable of six numbers.
TfliteBuilder svdf_model() {
  constexpr int32_t kSvdf = 27;
  TfliteBuilder model;
  const int32_t x = model.input("x", {1, 2});
  const int32_t features = model.constant(float_tensor({2, 2}, {1, 0, 0.5f, 0.5f}));
  const int32_t times = model.constant(float_tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
  const int32_t state = model.tensor("memory", {1, 6});
  model.set_variable(state);
  const int32_t y = model.tensor("y", {1, 2});
  model.op(kSvdf, {x, features, times, -1, state}, {y}, tfl::BuiltinOptions_SVDFOptions,
           made_by<tfl::CreateSVDFOptions>(1, tfl::ActivationFunctionType_RELU));
  model.output(y);
  return model;
}

TEST(TfliteState, VariablesAreKept) {
  const Graph graph = import_model(svdf_model().bytes(), {})[0].graph;
  ASSERT_EQ(graph.states.size(), 1u);
  EXPECT_EQ(graph.input_name(graph.states[0].input), "memory");
  EXPECT_EQ(graph.output_name(graph.states[0].output), "memory.next");
  EXPECT_EQ(graph.states[0].initial, nullptr);
  EXPECT_THAT(graph.notes, IsEmpty());
}

TEST(TfliteState, VariablesAreInputsAndOutputsWhereThatIsAskedFor) {
  ImportOptions options;
  options.variables_are_io = true;
  const Graph graph = import_model(svdf_model().bytes(), options)[0].graph;
  EXPECT_THAT(graph.states, IsEmpty());
  ASSERT_EQ(graph.inputs.size(), 2u);
  ASSERT_EQ(graph.outputs.size(), 2u);
  EXPECT_EQ(graph.values[graph.inputs[1]].name, "memory");
  EXPECT_EQ(graph.values[graph.outputs[1]].name, "memory.next");
  EXPECT_TRUE(graph.input_names.empty());
  ASSERT_EQ(graph.notes.size(), 1u);
  EXPECT_THAT(graph.notes[0], HasSubstr("variable 'memory' is an input and an output"));
}

TEST(TfliteState, BesideTheNamesOfASignature) {
  TfliteBuilder model = svdf_model();
  model.signature("serve", {"given"}, {"made"});
  const Graph graph = import_model(model.bytes(), {})[0].graph;
  EXPECT_THAT(graph.input_names, ElementsAre("given", "memory"));
  EXPECT_THAT(graph.output_names, ElementsAre("made", "memory.next"));
}

TEST(TfliteQuantized, InputsAndOutputsKeepTheirRecords) {
  TfliteBuilder model;
  const int32_t from = model.input("x", {2}, tfl::TensorType_INT8);
  model.set_quantized(from, {{0.5f}, {7}});
  const int32_t to = model.tensor("y", {}, tfl::TensorType_INT8);
  model.set_quantized(to, {{0.25f}, {-3}});
  model.op(101, {from}, {to});
  model.output(to);
  const Graph graph = import_model(model.bytes(), {})[0].graph;
  const Value& x = graph.values[graph.inputs[0]];
  const Value& y = graph.values[graph.outputs[0]];
  ASSERT_TRUE(x.quantization && y.quantization);
  EXPECT_EQ(x.dtype, DType::kInt8);
  EXPECT_EQ(y.dtype, DType::kInt8);
  EXPECT_THAT(x.quantization->scales, ElementsAre(0.5f));
  EXPECT_THAT(x.quantization->zero_points, ElementsAre(7));
  EXPECT_THAT(y.quantization->scales, ElementsAre(0.25f));
  EXPECT_THAT(y.quantization->zero_points, ElementsAre(-3));
}

// Kernels read weights of 16 bits: what the model widens for them stays as it is stored.
TEST(TfliteModel, WeightsOfSixteenBitsStayNarrow) {
  TensorData halves{DType::kFloat16, {1, 3}, std::vector<std::byte>(6)};
  const uint16_t bits[] = {0x3c00, 0xc000, 0x3800};  // 1, -2, 0.5
  std::memcpy(halves.bytes.data(), bits, sizeof bits);
  TfliteBuilder model;
  const int32_t x = model.input("x", {1, 3});
  const int32_t narrow = model.constant(halves);
  const int32_t wide = model.tensor("wide", {1, 3});
  const int32_t y = model.tensor("y", {1, 1});
  model.op(6, {narrow}, {wide});
  model.op(9, {x, wide}, {y});
  model.output(y);
  EXPECT_THAT(run_tflite_floats(model, {float_tensor({1, 3}, {1, 2, 4})}), ElementsAre(-1));
  const Graph graph = import_model(model.bytes(), {})[0].graph;
  for (const Node& node : graph.nodes) {
    if (node.op != Op::kMatMul) continue;
    EXPECT_EQ(graph.values[node.inputs[1]].dtype, DType::kFloat16);
  }
}

// Detection of three boxes after a logistic function.
TfliteBuilder detector(const std::vector<uint8_t>& options) {
  constexpr int32_t kLogistic = 14;
  TfliteBuilder model;
  const int32_t boxes = model.input("boxes", {1, 3, 4});
  const int32_t logits = model.input("logits", {1, 3, 3});
  const int32_t scores = model.tensor("scores", {1, 3, 3});
  const int32_t anchors = model.constant(counting_tensor({3, 4}));
  std::vector<int32_t> outputs;
  for (const std::vector<int32_t>& dims : {std::vector<int32_t>{1, 2, 4}, {1, 2}, {1, 2}, {1}}) {
    outputs.push_back(model.tensor("y" + std::to_string(outputs.size()), dims));
    model.output(outputs.back());
  }
  model.op(kLogistic, {logits}, {scores});
  model.custom("TFLite_Detection_PostProcess", {boxes, scores, anchors}, outputs, options);
  return model;
}

std::vector<uint8_t> detection_options() {
  flexbuffers::Builder builder;
  builder.Map([&] {
    builder.Int("max_detections", 2);
    builder.Int("max_classes_per_detection", 1);
    builder.Int("num_classes", 2);
    for (const char* side : {"y_scale", "x_scale", "h_scale", "w_scale"}) builder.Float(side, 10);
    builder.Float("nms_score_threshold", 0.1f);
    builder.Float("nms_iou_threshold", 0.5f);
    builder.Bool("use_regular_nms", true);
  });
  builder.Finish();
  return builder.GetBuffer();
}

// The operators before it run on a GPU.
TEST(TfliteDetection, RunsOnTheCpuOfAVulkanVariant) {
  PlanOptions options;
  options.boards = {find_board("host")};
  const ModelFile file{"main", detector(detection_options()).bytes(), {}, {}};
  const PlanResult planned = plan_models({file}, options);
  const auto& variants = planned.report.variants;
  const auto vulkan = std::find_if(variants.begin(), variants.end(),
                                   [](const VariantReport& variant) { return variant.vulkan; });
  ASSERT_NE(vulkan, variants.end());
  EXPECT_EQ(vulkan->counts.cpu, 1u);
  EXPECT_EQ(vulkan->counts.vulkan, 1u);
}

// Any byte gives an error or another model.
TEST(TfliteDetection, DamagedOptionsAreRefusedOrRead) {
  const std::vector<uint8_t> options = detection_options();
  uint32_t refused = 0;
  for (size_t at = 0; at < options.size(); ++at) {
    for (const uint8_t value : {uint8_t{0}, uint8_t{1}, uint8_t{0x7f}, uint8_t{0xff}}) {
      std::vector<uint8_t> damaged = options;
      damaged[at] = value;
      const std::string error = tflite_error(detector(damaged));
      if (error.empty()) continue;
      ++refused;
      EXPECT_THAT(error, HasSubstr("(TFLite_Detection_PostProcess): "));
    }
  }
  EXPECT_GT(refused, options.size());
  // A map whose last key nothing ends.
  std::vector<uint8_t> cut(options.begin() + 4, options.end());
  EXPECT_NE(tflite_error(detector(cut)), "");
  EXPECT_THAT(tflite_error(detector(std::vector<uint8_t>(70000, 1))),
              HasSubstr("its options hold 70000 bytes, expected at most 65536"));
}

std::string error_of(const std::vector<std::byte>& bytes, bool named_so = false) {
  ImportOptions options;
  options.is_tflite = named_so;
  try {
    import_model(bytes, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TfliteErrors, FilesThatAreNone) {
  const std::vector<std::byte> zeros(64);
  EXPECT_THAT(error_of(zeros, true),
              HasSubstr("not a TensorFlow Lite model: found nothing but zeros"));
  std::vector<std::byte> cut = relu_model().bytes();
  cut.resize(cut.size() / 2);
  EXPECT_THAT(error_of(cut), HasSubstr("do not hold the tables of one (truncated or damaged?)"));
}

TEST(TfliteErrors, AMergedNameIsTheFirst) {
  TfliteBuilder model;
  const int32_t x = model.input("first;second;third", {2}, tfl::TensorType_INT64);
  const int32_t y = model.tensor("y", {2}, tfl::TensorType_INT64);
  for (const int32_t tensor : {x, y}) model.set_quantized(tensor, {});
  model.op(19, {x}, {y});
  model.output(y);
  EXPECT_THAT(error_of(model.bytes()),
              HasSubstr("operand 'first' (and other names) is int64 with a scale"));
}

TEST(TfliteErrors, AllObstaclesAreToldAtOnce) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t a = model.tensor("a", {2});
  const int32_t b = model.tensor("b", {2});
  model.op(122, {x}, {a});
  model.op(68, {x}, {b});
  model.output(a);
  try {
    import_model(model.bytes(), {});
    FAIL();
  } catch (const ObstaclesError& error) {
    ASSERT_EQ(error.obstacles.size(), 2u);
    EXPECT_EQ(error.obstacles[0].op, "SCATTER_ND");
    EXPECT_EQ(error.obstacles[0].instead, "those that 'arenite ops' lists");
    EXPECT_EQ(error.obstacles[1].node, "SPARSE_TO_DENSE_1");
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

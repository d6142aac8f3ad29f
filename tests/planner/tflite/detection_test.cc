// Tests importing TFLite_Detection_PostProcess: its options, and what comes of them.
// Its texts of numbers are not used here: without this they ask for FlatBuffers' library.
#define FLATBUFFERS_LOCALE_INDEPENDENT 0
#include <flatbuffers/flexbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "planner/plan.h"
#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;

std::vector<uint8_t> options_of(bool regular, int detections) {
  flexbuffers::Builder builder;
  builder.Map([&] {
    builder.Int("max_detections", detections);
    builder.Int("max_classes_per_detection", 1);
    builder.Int("num_classes", 2);
    builder.Float("y_scale", 10.0f);
    builder.Float("x_scale", 10.0f);
    builder.Float("h_scale", 5.0f);
    builder.Float("w_scale", 5.0f);
    builder.Float("nms_score_threshold", 0.1f);
    builder.Float("nms_iou_threshold", 0.5f);
    builder.Bool("use_regular_nms", regular);
  });
  builder.Finish();
  return builder.GetBuffer();
}

std::vector<uint8_t> map_of(const std::function<void(flexbuffers::Builder&)>& entries) {
  flexbuffers::Builder builder;
  builder.Map([&] { entries(builder); });
  builder.Finish();
  return builder.GetBuffer();
}

// Three boxes: two in the same place, one beside them.
TfliteBuilder detector(const std::vector<uint8_t>& options) {
  TfliteBuilder model;
  const int32_t boxes = model.input("boxes", {1, 3, 4});
  const int32_t scores = model.input("scores", {1, 3, 3});
  const int32_t anchors =
      model.constant(float_tensor({3, 4}, {1, 1, 2, 2, 1, 1, 2, 2, 1, 5, 2, 2}));
  std::vector<int32_t> outputs;
  for (const std::vector<int32_t>& dims : {std::vector<int32_t>{1, 2, 4}, {1, 2}, {1, 2}, {1}}) {
    outputs.push_back(model.tensor("y" + std::to_string(outputs.size()), dims));
    model.output(outputs.back());
  }
  model.custom("TFLite_Detection_PostProcess", {boxes, scores, anchors}, outputs, options);
  return model;
}

const std::vector<TensorData>& inputs() {
  static const std::vector<TensorData> kInputs = {
      float_tensor({1, 3, 4}, std::vector<float>(12, 0)),
      // Nothing, class 0, class 1.
      float_tensor({1, 3, 3}, {0, 0.9f, 0.2f, 0, 0.3f, 0.8f, 0, 0.4f, 0.5f})};
  return kInputs;
}

TEST(TfliteDetection, ABoxCompetesByItsBestScore) {
  const auto outputs = run_tflite(detector(options_of(false, 2)), inputs());
  EXPECT_THAT(floats_of(outputs[0].bytes), ElementsAre(0, 0, 2, 2, 0, 4, 2, 6));
  EXPECT_THAT(floats_of(outputs[1].bytes), ElementsAre(0, 1));
  EXPECT_THAT(floats_of(outputs[2].bytes), ElementsAre(FloatEq(0.9f), FloatEq(0.5f)));
  EXPECT_THAT(floats_of(outputs[3].bytes), ElementsAre(2));
  EXPECT_THAT(outputs[0].dims, ElementsAre(1, 2, 4));
}

TEST(TfliteDetection, EachClassHasItsOwnBoxes) {
  const auto outputs = run_tflite(detector(options_of(true, 2)), inputs());
  EXPECT_THAT(floats_of(outputs[1].bytes), ElementsAre(0, 1));
  EXPECT_THAT(floats_of(outputs[2].bytes), ElementsAre(FloatEq(0.9f), FloatEq(0.8f)));
}

TEST(TfliteDetection, OptionsAreAMapOfNumbers) {
  const std::string no_map = "(TFLite_Detection_PostProcess): its options hold no map";
  EXPECT_THAT(tflite_error(detector({1, 2, 3, 4})), HasSubstr(no_map));
  EXPECT_THAT(tflite_error(detector({})), HasSubstr(no_map));
  EXPECT_THAT(tflite_error(detector(options_of(false, 0))),
              HasSubstr("option 'max_detections' is 0, expected 1 to"));
  EXPECT_THAT(tflite_error(detector(
                  map_of([](flexbuffers::Builder& map) { map.Double("y_scale", 1e300); }))),
              HasSubstr("option 'y_scale' is 1e+300, expected -3.40282e+38 to"));
  EXPECT_THAT(
      tflite_error(detector(map_of([](flexbuffers::Builder& map) { map.Float("y_scale", 1.0f); }))),
      HasSubstr("option 'x_scale' is missing"));
  EXPECT_THAT(tflite_error(detector(
                  map_of([](flexbuffers::Builder& map) { map.String("y_scale", "wide"); }))),
              HasSubstr("option 'y_scale' is missing"));
  EXPECT_THAT(tflite_error(detector(std::vector<uint8_t>(70000, 1))),
              HasSubstr("its options hold 70000 bytes, expected at most 65536"));
}

// Whatever a byte holds: an error, or another model.
TEST(TfliteDetection, DamagedOptionsAreRefusedOrRead) {
  const std::vector<uint8_t> options = options_of(true, 2);
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
}

TEST(TfliteDetection, OperandsAreOneImages) {
  TfliteBuilder model;
  const int32_t boxes = model.input("boxes", {2, 3, 4});
  const int32_t scores = model.input("scores", {2, 3, 3});
  const int32_t anchors = model.input("anchors", {3, 4});
  std::vector<int32_t> outputs;
  for (int i = 0; i < 4; ++i) outputs.push_back(model.tensor("y" + std::to_string(i), {}));
  model.custom("TFLite_Detection_PostProcess", {boxes, scores, anchors}, outputs,
               options_of(false, 2));
  model.output(outputs[3]);
  EXPECT_THAT(tflite_error(model),
              HasSubstr("expected one image's [1, boxes, ...] as input 0, found [2, 3, 4]"));
}

// What comes before it runs on a GPU.
TEST(TfliteDetection, RunsOnTheCpuOfAVulkanVariant) {
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
  constexpr int32_t kLogistic = 14;
  model.op(kLogistic, {logits}, {scores});
  model.custom("TFLite_Detection_PostProcess", {boxes, scores, anchors}, outputs,
               options_of(false, 2));
  PlanOptions options;
  options.boards = {find_board("host")};
  const PlanResult planned = plan_models({{"main", model.bytes(), {}, {}}}, options);
  const auto& variants = planned.report.variants;
  const auto vulkan = std::find_if(variants.begin(), variants.end(),
                                   [](const VariantReport& variant) { return variant.vulkan; });
  ASSERT_NE(vulkan, variants.end());
  EXPECT_EQ(vulkan->cpu_steps, 1u);
  EXPECT_EQ(vulkan->vulkan_steps, 1u);
}

// More numbers a box (key points) count for nothing; without a column for no object.
TEST(TfliteDetection, BoxesOfMoreNumbersAndNoBackground) {
  TfliteBuilder model;
  const int32_t boxes = model.input("boxes", {1, 1, 6});
  const int32_t scores = model.input("scores", {1, 1, 2});
  const int32_t anchors = model.constant(float_tensor({1, 4}, {1, 2, 4, 8}));
  std::vector<int32_t> outputs;
  for (const std::vector<int32_t>& dims : {std::vector<int32_t>{1, 2, 4}, {1, 2}, {1, 2}, {1}}) {
    outputs.push_back(model.tensor("y" + std::to_string(outputs.size()), dims));
    model.output(outputs.back());
  }
  model.custom("TFLite_Detection_PostProcess", {boxes, scores, anchors}, outputs,
               options_of(false, 2));
  const auto found = run_tflite(model, {float_tensor({1, 1, 6}, {10, -5, 0, 0, 7, 7}),
                                        float_tensor({1, 1, 2}, {0.25f, 0.75f})});
  // Center y 10 / 10 * 4 + 1, x -5 / 10 * 8 + 2; sides of 4 and 8.
  EXPECT_THAT(floats_of(found[0].bytes), ElementsAre(3, -6, 7, 2, 0, 0, 0, 0));
  EXPECT_THAT(floats_of(found[1].bytes), ElementsAre(1, 0));
  EXPECT_THAT(floats_of(found[3].bytes), ElementsAre(1));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

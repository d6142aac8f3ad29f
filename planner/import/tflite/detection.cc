// Imports the custom operator TFLite_Detection_PostProcess: a detector's best boxes.
#include <flatbuffers/flexbuffers.h>

#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

// The options: a map of names and numbers.
class NamedOptions {
 public:
  explicit NamedOptions(const Context& context) : context_(context) {
    const std::span<const std::byte> bytes = context.custom_options();
    if (bytes.size() > kMostBytes) {
      context.fail("its options hold " + std::to_string(bytes.size()) +
                   " bytes, expected at most " + std::to_string(kMostBytes));
    }
    // A copy, where numbers are aligned, and with a 0 behind it: the verifier lets keys pass that
    // nothing ends.
    bytes_.resize(bytes.size() + 1);
    if (!bytes.empty()) std::memcpy(bytes_.data(), bytes.data(), bytes.size());
    std::vector<uint8_t> seen;
    if (!flexbuffers::VerifyBuffer(bytes_.data(), bytes.size(), &seen) ||
        !flexbuffers::GetRoot(bytes_.data(), bytes.size()).IsMap()) {
      context.fail("its options hold no map of names and numbers (damaged?)");
    }
    map_ = flexbuffers::GetRoot(bytes_.data(), bytes.size()).AsMap();
  }

  bool flag(const char* name) const { return has(name) && map_[name].AsBool(); }

  // Reads a count of at least 1. Without `otherwise` it must be there.
  uint32_t count(const char* name, std::optional<uint32_t> otherwise = {}) const {
    constexpr uint32_t kMost = 1 << 20;
    if (otherwise && !has(name)) return *otherwise;
    return static_cast<uint32_t>(number(name, 1, kMost));
  }

  // Reads a number from `least` to `most`.
  double number(const char* name, double least, double most) const {
    const std::string option = "option " + quote(name) + " is ";
    if (!has(name)) context_.fail(option + "missing");
    const double number = map_[name].AsDouble();
    if (!(number >= least && number <= most)) {
      std::ostringstream text;
      text << number << ", expected " << least << " to " << most;
      context_.fail(option + text.str());
    }
    return number;
  }

 private:
  static constexpr size_t kMostBytes = 1 << 16;

  bool has(const char* name) const { return map_[name].IsNumeric() || map_[name].IsBool(); }

  const Context& context_;
  std::vector<uint8_t> bytes_;
  flexbuffers::Map map_ = flexbuffers::Map::EmptyMap();
};

ValueId without_batch(Context& context, size_t i) {
  const ValueId x = context.input(i);
  const Dims dims = context.dims(x);
  if (dims.size() != 3 || dims[0] != 1) {
    context.fail("expected one image's [1, boxes, ...] as input " + std::to_string(i) + ", found " +
                 dims_text(dims));
  }
  return context.reshaped(x, {dims[1], dims[2]});
}

}  // namespace

void detection_post_process(Context& context) {
  context.expect_operands(3, 3, 4);
  const NamedOptions options(context);
  DetectionPostProcessAttributes attributes{};
  constexpr double kMostFloat = std::numeric_limits<float>::max();
  const char* scales[] = {"y_scale", "x_scale", "h_scale", "w_scale"};
  for (size_t i = 0; i < std::size(scales); ++i) {
    attributes.scale[i] = static_cast<float>(options.number(scales[i], -kMostFloat, kMostFloat));
  }
  attributes.score_least =
      static_cast<float>(options.number("nms_score_threshold", -kMostFloat, kMostFloat));
  attributes.overlap_most = static_cast<float>(options.number("nms_iou_threshold", 0, 1));
  attributes.classes = options.count("num_classes");
  attributes.boxes = options.count("max_detections");
  attributes.box_classes = options.count("max_classes_per_detection");
  attributes.class_boxes = options.count("detections_per_class", 100);
  attributes.per_class_boxes = options.flag("use_regular_nms") ? 1 : 0;
  const std::vector<ValueId> inputs = {without_batch(context, 0), without_batch(context, 1),
                                       context.input(2)};
  const int64_t rows = int64_t{attributes.boxes} * attributes.box_classes;
  constexpr DType kFloat = DType::kFloat32;
  const std::vector<ValueId> found = context.add_own(
      Op::kDetectionPostProcess, inputs,
      {{kFloat, {rows, 4}}, {kFloat, {rows}}, {kFloat, {rows}}, {kFloat, {1}}}, attributes);
  context.result(0, context.reshaped(found[0], {1, rows, 4}));
  context.result(1, context.reshaped(found[1], {1, rows}));
  context.result(2, context.reshaped(found[2], {1, rows}));
  context.result(3, found[3]);
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0

// Imports the custom operator TFLite_Detection_PostProcess, a detector's best boxes, and
// suppression.
#include <flatbuffers/flexbuffers.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
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

float constant_float(Context& context, size_t i, const char* what) {
  const Value& value = context.value(context.input(i));
  if (value.dtype != DType::kFloat32 || value.elements() != 1) {
    context.fail(std::string(what) + " is " + dtype_name(value.dtype) + " " +
                 dims_text(value.dims) + ", expected a float32");
  }
  if (value.constant == nullptr) {
    context.unsupported(std::string(what) + " is computed at run time", "a constant");
  }
  float number = 0;
  std::memcpy(&number, value.constant->data(), sizeof(number));
  return number;
}

// So many elements, zeros behind those that x has.
ValueId padded(Context& context, ValueId x, int64_t count) {
  const Dim missing = count - context.dims(x)[0];
  if (always(missing == 0)) return x;
  const DType type = context.dtype(x);
  context.expect_room({static_cast<uint64_t>(bound(missing)), element_bytes(type)});
  std::vector<std::byte> zeros(static_cast<size_t>(bound(missing)) * element_bytes(type));
  return context.add("Concat", {x, context.constant(type, {missing}, std::move(zeros))},
                     std::move(Attributes().with("axis", int64_t{0})));
}

}  // namespace

namespace {

// The best boxes of one class, by one of the two operators.
struct Suppressed {
  ValueId places, count;
  ValueId best;  // kNoValue: the scores at the places
};

// The operands of both operators, and what they have in common.
struct Suppression {
  ValueId boxes, scores;
  Dim count;
  uint32_t rows;
  float overlap_most, score_least;
};

Suppressed suppress(Context& context, const Suppression& s) {
  const NonMaxSuppressionAttributes attributes{.overlap_most = s.overlap_most,
                                               .score_least = s.score_least,
                                               .class_boxes = s.rows,
                                               .centers = 0};
  const std::vector<ValueId> found = context.add_own(
      Op::kNonMaxSuppression,
      {context.reshaped(s.boxes, {1, s.count, 4}), context.reshaped(s.scores, {1, 1, s.count})},
      {{DType::kInt64, {s.rows, 3}}, {DType::kInt64, {1}}}, attributes);
  const ValueId box = context.constant(DType::kInt64, {}, std::vector<int64_t>{2});
  const ValueId places =
      context.add("Gather", {found[0], box}, std::move(Attributes().with("axis", int64_t{1})));
  return {places, found[1], kNoValue};
}

Suppressed suppress_softly(Context& context, const Suppression& s, float sigma) {
  const SoftNonMaxSuppressionAttributes attributes{.overlap_most = s.overlap_most,
                                                   .score_least = s.score_least,
                                                   .results = s.rows,
                                                   .weight = -0.5f / sigma};
  const std::vector<ValueId> found = context.add_own(
      Op::kSoftNonMaxSuppression, {s.boxes, s.scores},
      {{DType::kFloat32, {s.rows}}, {DType::kInt64, {s.rows}}, {DType::kInt64, {1}}}, attributes);
  return {found[1], found[2], found[0]};
}

// The scores at the places of results, 0 behind them.
ValueId scores_at(Context& context, ValueId scores, const Suppressed& found, uint32_t rows) {
  context.expect_room({rows, 2 * sizeof(int64_t)});
  std::vector<int64_t> numbers(rows);
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  const ValueId filled =
      context.add("Less", {context.constant(DType::kInt64, {rows}, numbers), found.count});
  const ValueId best = context.add("Gather", {scores, found.places});
  return context.add("Where", {filled, best, context.scalar(0)});
}

}  // namespace

void non_max_suppression(Context& context, bool with_scores) {
  const size_t inputs = with_scores ? 6 : 5;
  context.expect_operands(inputs, inputs, with_scores ? 3 : 2);
  const ValueId boxes = context.input(0), scores = context.input(1);
  const Dims dims = context.dims(boxes);
  const Dims score_dims = context.dims(scores);
  if (dims.size() != 2 || score_dims.size() != 1 || dims[1] != 4 || dims[0] != score_dims[0]) {
    context.fail("expected boxes [boxes, 4] and scores [boxes], found " + dims_text(dims) +
                 " and " + dims_text(score_dims));
  }
  const int64_t most = context.integer(2, "max_output_size");
  const int64_t rows = std::min(most, bound(dims[0]));
  if (rows < 1) context.unsupported("max_output_size is " + std::to_string(most), "1 or more");
  const float sigma = with_scores ? constant_float(context, 5, "soft_nms_sigma") : 0.0f;
  if (!(sigma >= 0.0f)) {
    context.fail("soft_nms_sigma is " + std::to_string(sigma) + ", expected 0 or more");
  }
  // A box goes that overlaps a better one by as much as the threshold.
  const float overlap_most = std::nextafter(constant_float(context, 3, "iou_threshold"), -1.0f);
  const Suppression all{boxes,        scores,
                        dims[0],      static_cast<uint32_t>(rows),
                        overlap_most, constant_float(context, 4, "score_threshold")};
  const Suppressed found =
      sigma > 0.0f ? suppress_softly(context, all, sigma) : suppress(context, all);
  context.result(0, padded(context, context.converted(found.places, DType::kInt32), most));
  if (with_scores) {
    const ValueId best = found.best != kNoValue
                             ? found.best
                             : scores_at(context, scores, found, static_cast<uint32_t>(rows));
    context.result(1, padded(context, best, most));
  }
  context.result(with_scores ? 2 : 1,
                 context.converted(context.reshaped(found.count, {}), DType::kInt32));
}

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

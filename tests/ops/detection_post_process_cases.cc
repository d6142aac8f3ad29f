// Cases of detection_post_process: boxes that overlap, by their best score or class by class.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/ops/boxes.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

constexpr DetectionPostProcessAttributes kUsual = {.scale = {10, 10, 5, 5},
                                                   .score_least = 0.2f,
                                                   .overlap_most = 0.5f,
                                                   .classes = 3,
                                                   .boxes = 4,
                                                   .box_classes = 1,
                                                   .class_boxes = 3,
                                                   .per_class_boxes = 0};

// Anchors lie close to each other, so that boxes overlap.
OpCase detect(const char* name, uint32_t count, uint32_t scores,
              const DetectionPostProcessAttributes& attributes) {
  OpCase c;
  c.name = name;
  c.attributes = words(attributes);
  c.inputs = {ranged(tensor({count, 4}), -2, 2), ranged(tensor({count, scores}), 0, 1),
              ranged(tensor({count, 4}), 0.3, 0.7)};
  const uint32_t rows = attributes.boxes * attributes.box_classes;
  c.outputs = {tensor({rows, 4}), tensor({rows}), tensor({rows}), tensor({1})};
  c.tolerance = 1e-5;
  return c;
}

// The boxes that stay of one class, or of all.
std::vector<uint32_t> kept_boxes(const std::vector<Box>& boxes, const std::vector<Number>& scores,
                                 const DetectionPostProcessAttributes& attributes, uint32_t most) {
  return suppressed(boxes, scores, Number{attributes.overlap_most}, most,
                    [&](Number score) { return score >= Number{attributes.score_least}; });
}

}  // namespace

std::vector<OpCase> detection_post_process_cases() {
  DetectionPostProcessAttributes two = kUsual;
  two.box_classes = 2;
  DetectionPostProcessAttributes by_class = kUsual;
  by_class.per_class_boxes = 1;
  DetectionPostProcessAttributes more_classes = kUsual;
  more_classes.classes = 2;
  more_classes.box_classes = 3;
  DetectionPostProcessAttributes all = kUsual;
  all.score_least = 0;
  all.overlap_most = 1;
  all.boxes = 30;
  DetectionPostProcessAttributes none = by_class;
  none.score_least = 2;
  DetectionPostProcessAttributes by_two = by_class;
  by_two.box_classes = 2;
  OpCase strided = detect("strided", 9, 4, kUsual);
  for (Operand& x : strided.inputs) x = with_margin(ordered(x, {1, 0}), 1);
  OpCase same = detect("equal_scores", 8, 3, by_class);
  same.inputs[1] = with_values(same.inputs[1], std::vector<Number>(24, 0.5));
  return {detect("best_class", 12, 4, kUsual),
          detect("no_background", 12, 3, kUsual),
          detect("two_classes_a_box", 11, 4, two),
          detect("more_classes_asked_than_there_are", 7, 2, more_classes),
          detect("class_by_class", 12, 4, by_class),
          detect("class_by_class_with_rows_to_spare", 9, 3, by_two),
          detect("nothing_is_suppressed", 20, 3, all),
          detect("nothing_is_found", 6, 4, none),
          detect("one_box", 1, 3, kUsual),
          strided,
          same};
}

std::vector<Numbers> detection_post_process_oracle(const OpCase& c,
                                                   const std::vector<Numbers>& inputs) {
  const auto attributes = attributes_of<DetectionPostProcessAttributes>(c);
  const uint32_t count = inputs[0].dims[0];
  const uint32_t first = inputs[1].dims[1] - attributes.classes;
  std::vector<Box> boxes;
  for (uint32_t i = 0; i < count; ++i) {
    const auto offset = [&](uint32_t k) {
      return at(inputs[0], {i, k}) / Number{attributes.scale[k]};
    };
    const auto anchor = [&](uint32_t k) { return at(inputs[2], {i, k}); };
    const Number y = offset(0) * anchor(2) + anchor(0);
    const Number x = offset(1) * anchor(3) + anchor(1);
    const Number h = std::exp(offset(2)) * anchor(2) / 2;
    const Number w = std::exp(offset(3)) * anchor(3) / 2;
    boxes.push_back({y - h, x - w, y + h, x + w});
  }
  const auto score = [&](uint32_t box, uint32_t label) {
    return at(inputs[1], {box, first + label});
  };
  struct Found {
    uint32_t box, label;
    uint32_t row;
  };
  std::vector<Found> found;
  uint32_t results = 0;
  if (attributes.per_class_boxes != 0) {
    std::vector<Found> all;
    for (uint32_t label = 0; label < attributes.classes; ++label) {
      std::vector<Number> scores;
      for (uint32_t i = 0; i < count; ++i) scores.push_back(score(i, label));
      for (const uint32_t box : kept_boxes(boxes, scores, attributes, attributes.class_boxes)) {
        all.push_back({box, label, 0});
      }
    }
    std::stable_sort(all.begin(), all.end(), [&](const Found& a, const Found& b) {
      return score(a.box, a.label) > score(b.box, b.label);
    });
    for (const Found& one : all) {
      if (results < attributes.boxes) found.push_back({one.box, one.label, results++});
    }
  } else {
    std::vector<Number> scores;
    for (uint32_t i = 0; i < count; ++i) {
      Number most = score(i, 0);
      for (uint32_t label = 1; label < attributes.classes; ++label) {
        most = std::max(most, score(i, label));
      }
      scores.push_back(most);
    }
    for (const uint32_t box : kept_boxes(boxes, scores, attributes, attributes.boxes)) {
      std::vector<uint32_t> labels(attributes.classes);
      std::iota(labels.begin(), labels.end(), 0u);
      std::stable_sort(labels.begin(), labels.end(),
                       [&](uint32_t a, uint32_t b) { return score(box, a) > score(box, b); });
      for (uint32_t n = 0; n < std::min(attributes.box_classes, attributes.classes); ++n) {
        found.push_back({box, labels[n], results * attributes.box_classes + n});
      }
      ++results;
    }
  }
  Numbers corners = blank_output(c, 0), labels = blank_output(c, 1), values = blank_output(c, 2);
  for (Numbers* y : {&corners, &labels, &values}) std::fill(y->values.begin(), y->values.end(), 0);
  for (const Found& one : found) {
    const Box& box = boxes[one.box];
    const Number sides[4] = {box.y0, box.x0, box.y1, box.x1};
    for (uint32_t k = 0; k < 4; ++k) corners.values[one.row * 4 + k] = sides[k];
    labels.values[one.row] = static_cast<Number>(one.label);
    values.values[one.row] = score(one.box, one.label);
  }
  Numbers total = blank_output(c, 3);
  total.values[0] = static_cast<Number>(results);
  return {corners, labels, values, total};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

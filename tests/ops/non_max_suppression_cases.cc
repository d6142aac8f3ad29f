// Cases of non_max_suppression: boxes that overlap, of several batches and classes.
#include <algorithm>
#include <limits>

#include "tests/ops/boxes.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

constexpr NonMaxSuppressionAttributes kUsual = {
    .overlap_most = 0.5f, .score_least = 0.3f, .class_boxes = 3, .centers = 0};

OpCase suppress(const char* name, uint32_t batches, uint32_t classes, uint32_t boxes,
                const NonMaxSuppressionAttributes& attributes) {
  OpCase c;
  c.name = name;
  c.attributes = words(attributes);
  c.inputs = {ranged(tensor({batches, boxes, 4}), 0, 1),
              ranged(tensor({batches, classes, boxes}), 0, 1)};
  const uint32_t rows = batches * classes * std::min(attributes.class_boxes, boxes);
  c.outputs = {tensor({rows, 3}, DType::kInt64), tensor({1}, DType::kInt64)};
  return c;
}

Box box_at(const Numbers& boxes, uint32_t batch, uint32_t i, bool centers) {
  Number s[4];
  for (uint32_t k = 0; k < 4; ++k) s[k] = at(boxes, {batch, i, k});
  if (centers) {
    return {s[0] - s[2] / 2, s[1] - s[3] / 2, s[0] + s[2] / 2, s[1] + s[3] / 2};
  }
  return {std::min(s[0], s[2]), std::min(s[1], s[3]), std::max(s[0], s[2]), std::max(s[1], s[3])};
}

}  // namespace

std::vector<OpCase> non_max_suppression_cases() {
  NonMaxSuppressionAttributes centers = kUsual;
  centers.centers = 1;
  NonMaxSuppressionAttributes all = kUsual;
  all.overlap_most = 1;
  all.score_least = -std::numeric_limits<float>::infinity();
  all.class_boxes = 100;
  NonMaxSuppressionAttributes none = kUsual;
  none.score_least = 2;
  NonMaxSuppressionAttributes disjoint = all;
  disjoint.overlap_most = 0;
  OpCase strided = suppress("strided", 2, 2, 9, kUsual);
  for (Operand& x : strided.inputs) x = with_margin(ordered(x, {2, 0, 1}), 1);
  OpCase same = suppress("equal_scores", 1, 2, 8, kUsual);
  same.inputs[1] = with_values(same.inputs[1], std::vector<Number>(16, 0.5));
  OpCase points = suppress("boxes_without_an_area", 1, 1, 4, kUsual);
  points.inputs[0] = with_values(points.inputs[0], std::vector<Number>(16, 0.5));
  return {suppress("usual", 1, 1, 12, kUsual),
          suppress("batches_and_classes", 2, 3, 10, kUsual),
          suppress("centers", 2, 2, 12, centers),
          suppress("nothing_is_suppressed", 1, 2, 7, all),
          suppress("nothing_may_overlap", 1, 1, 30, disjoint),
          suppress("nothing_is_found", 1, 2, 6, none),
          suppress("one_box", 1, 1, 1, kUsual),
          points,
          strided,
          same};
}

std::vector<Numbers> non_max_suppression_oracle(const OpCase& c,
                                                const std::vector<Numbers>& inputs) {
  const auto attributes = attributes_of<NonMaxSuppressionAttributes>(c);
  const std::vector<uint32_t>& dims = inputs[1].dims;
  Numbers places = blank_output(c, 0), count = blank_output(c, 1);
  std::fill(places.values.begin(), places.values.end(), 0);
  size_t results = 0;
  for (uint32_t batch = 0; batch < dims[0]; ++batch) {
    std::vector<Box> boxes;
    for (uint32_t i = 0; i < dims[2]; ++i) {
      boxes.push_back(box_at(inputs[0], batch, i, attributes.centers != 0));
    }
    for (uint32_t label = 0; label < dims[1]; ++label) {
      std::vector<Number> scores;
      for (uint32_t i = 0; i < dims[2]; ++i) scores.push_back(at(inputs[1], {batch, label, i}));
      const std::vector<uint32_t> kept =
          suppressed(boxes, scores, Number{attributes.overlap_most}, attributes.class_boxes,
                     [&](Number score) { return score > Number{attributes.score_least}; });
      for (const uint32_t i : kept) {
        const uint32_t numbers[] = {batch, label, i};
        for (size_t k = 0; k < 3; ++k) places.values[results * 3 + k] = numbers[k];
        ++results;
      }
    }
  }
  count.values[0] = static_cast<Number>(results);
  return {places, count};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

// Cases of soft_non_max_suppression: boxes that overlap, and scores that fall.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/ops/boxes.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

constexpr SoftNonMaxSuppressionAttributes kUsual = {
    .overlap_most = 0.6f, .score_least = 0.2f, .results = 6, .weight = -1};

OpCase suppress(const char* name, uint32_t boxes,
                const SoftNonMaxSuppressionAttributes& attributes) {
  OpCase c;
  c.name = name;
  c.attributes = words(attributes);
  c.tolerance = 1e-6;
  c.inputs = {ranged(tensor({boxes, 4}), 0, 1), ranged(tensor({boxes}), 0, 1)};
  const uint32_t rows = std::min(attributes.results, boxes);
  c.outputs = {tensor({rows}), tensor({rows}, DType::kInt64), tensor({1}, DType::kInt64)};
  return c;
}

Box box_at(const Numbers& boxes, uint32_t i) {
  Number s[4];
  for (uint32_t k = 0; k < 4; ++k) s[k] = at(boxes, {i, k});
  return {std::min(s[0], s[2]), std::min(s[1], s[3]), std::max(s[0], s[2]), std::max(s[1], s[3])};
}

}  // namespace

std::vector<OpCase> soft_non_max_suppression_cases() {
  SoftNonMaxSuppressionAttributes all = kUsual;
  all.overlap_most = 1;
  all.score_least = -std::numeric_limits<float>::infinity();
  all.results = 100;
  SoftNonMaxSuppressionAttributes none = kUsual;
  none.score_least = 2;
  SoftNonMaxSuppressionAttributes steep = all;
  steep.weight = -50;
  OpCase strided = suppress("strided", 9, kUsual);
  strided.inputs[0] = with_margin(ordered(strided.inputs[0], {1, 0}), 1);
  strided.inputs[1] = with_margin(strided.inputs[1], 1);
  OpCase same = suppress("equal_scores", 8, kUsual);
  same.inputs[1] = with_values(same.inputs[1], std::vector<Number>(8, 0.5));
  OpCase points = suppress("boxes_without_an_area", 4, all);
  points.inputs[0] = with_values(points.inputs[0], std::vector<Number>(16, 0.5));
  return {suppress("usual", 12, kUsual),
          suppress("nothing_is_out", 7, all),
          suppress("scores_fall_far", 20, steep),
          suppress("nothing_is_found", 6, none),
          suppress("one_box", 1, kUsual),
          points,
          strided,
          same};
}

// By the definition: all scores fall by each result when it is found.
std::vector<Numbers> soft_non_max_suppression_oracle(const OpCase& c,
                                                     const std::vector<Numbers>& inputs) {
  const auto attributes = attributes_of<SoftNonMaxSuppressionAttributes>(c);
  const uint32_t count = inputs[1].dims[0];
  Numbers best = blank_output(c, 0), places = blank_output(c, 1), found = blank_output(c, 2);
  std::fill(places.values.begin(), places.values.end(), 0);
  std::fill(best.values.begin(), best.values.end(), 0);
  std::vector<Number> scores;
  std::vector<bool> out(count);
  for (uint32_t i = 0; i < count; ++i) scores.push_back(at(inputs[1], {i}));
  size_t results = 0;
  while (results < places.values.size()) {
    uint32_t next = count;
    for (uint32_t i = 0; i < count; ++i) {
      if (out[i] || !(scores[i] > Number{attributes.score_least})) continue;
      if (next == count || scores[i] > scores[next]) next = i;
    }
    if (next == count) break;
    places.values[results] = next;
    best.values[results++] = scores[next];
    for (uint32_t i = 0; i < count; ++i) {
      const Number common = overlap(box_at(inputs[0], i), box_at(inputs[0], next));
      out[i] = out[i] || i == next || common > Number{attributes.overlap_most};
      scores[i] *= std::exp(Number{attributes.weight} * common * common);
    }
  }
  found.values[0] = static_cast<Number>(results);
  return {best, places, found};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

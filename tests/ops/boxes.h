// Boxes and their greedy suppression, as oracles of detectors have it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "tests/ops/case.h"

namespace arenite::ops_test {

struct Box {
  Number y0, x0, y1, x1;
};

// Intersection over union; 0 of boxes without an area.
inline Number overlap(const Box& a, const Box& b) {
  const Number height = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
  const Number width = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
  const Number one = (a.y1 - a.y0) * (a.x1 - a.x0);
  const Number other = (b.y1 - b.y0) * (b.x1 - b.x0);
  if (one <= 0 || other <= 0) return 0;
  const Number common = std::max<Number>(height, 0) * std::max<Number>(width, 0);
  return common / (one + other - common);
}

// The boxes that stay, `most` at most, by falling score: of those whose score is good enough each
// goes that overlaps one before it by more than `overlap_most`.
inline std::vector<uint32_t> suppressed(const std::vector<Box>& boxes,
                                        const std::vector<Number>& scores, Number overlap_most,
                                        size_t most,
                                        const std::function<bool(Number)>& is_good_enough) {
  std::vector<uint32_t> order(boxes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
  std::vector<uint32_t> kept;
  for (const uint32_t i : order) {
    const bool good =
        is_good_enough(scores[i]) && std::none_of(kept.begin(), kept.end(), [&](uint32_t other) {
          return overlap(boxes[i], boxes[other]) > overlap_most;
        });
    if (good && kept.size() < most) kept.push_back(i);
  }
  return kept;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

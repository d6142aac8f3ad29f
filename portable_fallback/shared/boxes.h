// Boxes whose sides lie along the axes, as detectors find them.
#pragma once

#include <cstdint>

namespace arenite {

inline constexpr uint32_t kCorners = 4;

struct Box {
  float sides[kCorners];  // least y and x, greatest y and x
};

// Of two opposite corners.
inline Box box_of(const float (&corners)[kCorners]) {
  Box box;
  for (uint32_t i = 0; i < 2; ++i) {
    const float a = corners[i];
    const float b = corners[i + 2];
    box.sides[i] = a < b ? a : b;
    box.sides[i + 2] = a < b ? b : a;
  }
  return box;
}

inline float area(const Box& box) {
  return (box.sides[2] - box.sides[0]) * (box.sides[3] - box.sides[1]);
}

// Intersection over union; 0 of boxes without an area.
inline float overlap(const Box& a, const Box& b) {
  const float one = area(a);
  const float other = area(b);
  if (!(one > 0.0f) || !(other > 0.0f)) return 0.0f;
  float sides[2];
  for (uint32_t i = 0; i < 2; ++i) {
    const float from = a.sides[i] < b.sides[i] ? b.sides[i] : a.sides[i];
    const float to = a.sides[i + 2] < b.sides[i + 2] ? a.sides[i + 2] : b.sides[i + 2];
    sides[i] = from < to ? to - from : 0.0f;
  }
  const float common = sides[0] * sides[1];
  return common / (one + other - common);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The axes that a resize resizes, as its tables say, and the loop over all else.
#pragma once

#include "core/step.h"
#include "portable_fallback/shared/loop.h"

namespace arenite {

// One resized axis; one that is not there has a single place with a single tap.
struct ResizedAxis {
  uint32_t places = 1, taps = 1;
  size_t x_stride = 0, y_stride = 0;
  size_t first = 0, weights = 0;  // where its part of the tables begins
  bool there = false;
};

struct Resize {
  static constexpr uint32_t kAxes = 3;
  static constexpr int32_t kOutside = -1;

  explicit Resize(const Step& step);

  // The first tap of a place, or kOutside.
  int32_t first_of(const ResizedAxis& axis, uint32_t place) const {
    const size_t at = (axis.first + place) * firsts.strides[0];
    return firsts.read<int32_t>()[at];
  }
  // The innermost of the resized axes, along which lines lie; kAxes: there is none.
  uint32_t line_axis() const {
    uint32_t k = kAxes;
    while (k != 0 && !axes[k - 1].there) --k;
    return k == 0 ? kAxes : k - 1;
  }
  // Whether every entry of the table lies inside its axis, all taps of it, or is none.
  bool leads_inside(const Step& step) const;

  Tensor x, firsts, weights;
  OutTensor y;
  uint32_t outside_bits[2];
  uint32_t fraction_bits;
  ResizedAxis axes[kAxes];
  NestedLoop rest;      // operands y, x: all other axes
  uint32_t places = 1;  // of all resized axes
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
